"""The settings file: explained from its own keys, unknown ones refused, in the system's place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from table.shell.faults import Fault
from table.shell.main import main
from table.shell.settings import Settings, explained, load_settings, settings_path


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "conf" / "config.toml"
    monkeypatch.setenv("DOMINOREF_CONFIG", str(path))
    return path


def written(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def test_the_explanation_is_a_settings_file_and_names_every_key(file: Path) -> None:
    text = explained()
    written(file, text)
    assert load_settings() == Settings()
    keys = re.findall(r"^(\w+) = ", text, re.MULTILINE)
    board = ["port", "second_button", "rim", "mute"]
    assert keys == ["name", "size_px", "file", "marker_mm", "tile_mm", *board, "game", "seats"]
    assert text.count("default: ") == len(keys)
    assert "unit: mm; range: 5 to 500; default: 40.0" in text


def test_values_are_taken_and_the_rest_is_default(file: Path) -> None:
    written(file, '[camera]\nname = "Brio"\n[table]\nfile = "~/t.toml"\ntile_mm = [50, 25, 8]\n')
    settings = load_settings()
    assert settings.camera.name == "Brio"
    assert settings.table_path() == Path.home() / "t.toml"
    assert settings.table.tile_mm == (50.0, 25.0, 8.0)
    assert settings.board.port == "auto"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[camera]\nnmae = "x"\n', "unknown key `nmae` in [camera]"),
        ("[kamera]\n", "unknown key `kamera`"),
        ("[table]\nmarker_mm = 2\n", "[table.marker_mm]"),
        ('[game]\nseats = "two"\n', "[game.seats]"),
        ("[game]\nseats = 9\n", "[game.seats]"),
        ("[table]\ntile_mm = [50, 25]\n", "three numbers"),
        ("[table\n", "not valid TOML"),
    ],
)
def test_faults_name_file_and_key(file: Path, text: str, words: str) -> None:
    written(file, text)
    with pytest.raises(Fault) as caught:
        load_settings()
    assert str(file) in str(caught.value)
    assert words in str(caught.value)


def test_a_file_that_was_named_must_be_there(file: Path) -> None:
    with pytest.raises(Fault, match="there is no such settings file"):
        load_settings()


def test_the_place_is_the_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DOMINOREF_CONFIG", raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert settings_path() == tmp_path / "dominoref" / "config.toml"
    assert load_settings() == Settings()
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    assert settings_path() == Path.home() / ".config" / "dominoref" / "config.toml"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("APPDATA", str(tmp_path / "roaming"))
    assert settings_path() == tmp_path / "roaming" / "dominoref" / "config.toml"


def test_the_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--path"]) == 0
    assert capsys.readouterr().out.strip() == str(file)
    assert main(["config", "--write"]) == 0
    assert load_settings() == Settings()
    capsys.readouterr()
    assert main(["config", "--write"]) == 1
    assert "left as it is" in capsys.readouterr().err
    written(file, '[board]\nport = "none"\n')
    assert main(["config"]) == 0
    shown = capsys.readouterr().out
    assert 'port = "none"' in shown
    assert "#" not in shown
    assert main(["config", "--explain"]) == 0
    assert "# The board of lights and buttons." in capsys.readouterr().out
