/* See desk.h. */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include "desk.h"

#include <errno.h>
#include <fcntl.h>   /* O_NONBLOCK */
#include <stdio.h>
#include <stdlib.h>  /* posix_openpt */
#include <string.h>
#include <termios.h>
#include <unistd.h>

static char line[1 << 17]; /* a test sends whole conversations as one line of hex */
static size_t line_length;

void desk_die(const struct desk *desk, const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", desk->program, what, errno ? strerror(errno) : "failed");
    exit(1);
}

void desk_plug_in(struct desk *desk)
{
    struct termios raw;
    desk->wire_fd = posix_openpt(O_RDWR | O_NOCTTY);
    if (desk->wire_fd < 0 || grantpt(desk->wire_fd) || unlockpt(desk->wire_fd))
        desk_die(desk, "no pseudo-terminal");
    const char *name = ptsname(desk->wire_fd);
    if (name == NULL || (desk->keep_fd = open(name, O_RDWR | O_NOCTTY)) < 0 || tcgetattr(desk->keep_fd, &raw))
        desk_die(desk, "no pseudo-terminal");
    raw.c_iflag = raw.c_oflag = raw.c_lflag = 0;
    raw.c_cflag = CS8 | CREAD | CLOCAL;
    tcsetattr(desk->keep_fd, TCSANOW, &raw);
    fcntl(desk->wire_fd, F_SETFL, O_NONBLOCK);
    if (desk->link_path) {
        unlink(desk->link_path);
        if (symlink(name, desk->link_path))
            desk_die(desk, desk->link_path);
    }
    printf("port %s\n", desk->link_path ? desk->link_path : name);
}

void desk_pull_out(struct desk *desk)
{
    if (desk->wire_fd >= 0)
        close(desk->wire_fd);
    if (desk->keep_fd >= 0)
        close(desk->keep_fd);
    desk->wire_fd = desk->keep_fd = -1;
    if (desk->link_path)
        unlink(desk->link_path);
}

bool desk_take_lines(bool (*obey)(const char *line))
{
    ssize_t count = read(STDIN_FILENO, line + line_length, sizeof line - 1 - line_length);
    if (count <= 0)
        return count < 0 && (errno == EINTR || errno == EAGAIN);
    line_length += (size_t)count;
    line[line_length] = 0;
    char *start = line, *end;
    while ((end = strchr(start, '\n')) != NULL) {
        *end = 0;
        if (!obey(start))
            return false;
        start = end + 1;
    }
    line_length = (size_t)(line + line_length - start);
    memmove(line, start, line_length);
    if (line_length == sizeof line - 1)
        line_length = 0; /* no newline in so much: not ours */
    return true;
}

size_t desk_bytes(const char *hex, uint8_t *bytes, size_t room)
{
    char pair[3] = {0, 0, 0};
    size_t count = 0;
    for (hex += strspn(hex, " "); hex[0] && hex[1] && count < room; hex += 2) {
        pair[0] = hex[0];
        pair[1] = hex[1];
        bytes[count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return count;
}
