/* An Uno with the board's parts around it, running the real image in simavr.
 *
 *   simavr_board [--hex FILE] [--boot FILE] [--direct] --lockstep | --pty [--link PATH]
 *
 * Speaks the lines of firmware/host/port_host.c, so that the same tests drive both. More of them here: J makes the processor
 * hang; S prints "S cycles overruns received sent untouched_ram"; a reset prints "R us". W lines carry six more numbers:
 * cycles high of a 0, of a 1, and from bit to bit, least and most each. --boot puts a bootloader at 0x7E00 and starts there.
 *
 * simavr is under the GPL (version 3), so this is a program of its own for the tests and no part of what is installed. Start
 * reading in uno.h (the processor) and parts.h (what hangs on it).
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "desk.h"
#include "parts.h"
#include "uno.h"

enum { SLICE_CYCLES = FREQUENCY / 500, CHUNK = 256 };

static struct desk desk = {"simavr_board", NULL, -1, -1};
static bool lockstep;

static void send_to_host(void)
{
    uint8_t chunk[CHUNK];
    uint64_t when = 0;
    size_t count;
    while ((count = uno_said(chunk, sizeof chunk, &when)) > 0) {
        if (lockstep) {
            printf("Y %llu ", (unsigned long long)(when / CYCLES_US));
            for (size_t i = 0; i < count; i++)
                printf("%02x", chunk[i]);
            printf("\n");
        } else if (desk.wire_fd >= 0 && write(desk.wire_fd, chunk, count) < 0) {
            /* nobody listens */
        }
    }
}

static void plug_in(void)
{
    if (lockstep)
        printf("port lockstep\n");
    else
        desk_plug_in(&desk);
}

static void pull_out(void)
{
    desk_pull_out(&desk);
    uno_forget();
}

static void hear_hex(const char *hex)
{
    static uint8_t bytes[1 << 16];
    size_t count = desk_bytes(hex, bytes, sizeof bytes);
    for (size_t i = 0; i < count; i++)
        uno_hear(bytes[i]);
}

static bool obey(const char *text)
{
    const char *rest = text + (text[0] != 0);
    switch (text[0]) {
    case 'B': parts_hold((uint16_t)strtoul(rest, NULL, 16)); break;
    case 'M': parts_mute(atoi(rest) != 0); break;
    case 'R': uno_reset(false); break;
    case 'P': uno_reset(true); break;
    case 'J': uno_jam(); break;
    case 'U': pull_out(); break;
    case 'V':
        pull_out();
        plug_in();
        break;
    case 'Q': return false;
    case 'X': hear_hex(rest); break;
    case 'T':
        uno_run_to(uno->cycle + strtoull(rest, NULL, 10) * CYCLES_US);
        send_to_host();
        parts_look_at_strip();
        printf(".\n");
        break;
    case 'S':
        printf("S %llu %u %u %u %u\n", (unsigned long long)uno->cycle, uno_counts.overruns, uno_counts.received,
               uno_counts.sent, uno_untouched_ram());
        break;
    default: break;
    }
    return true;
}

static uint64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* Keep step with the clock, for two milliseconds at most: on a busy machine go on slower than real time, rather than leave the
 * line unattended to catch up. */
static void keep_pace(void)
{
    static uint64_t start_us, start_cycle;
    if (start_us == 0) {
        start_us = clock_us();
        start_cycle = uno->cycle;
    }
    uint64_t due = start_cycle + (clock_us() - start_us) * CYCLES_US;
    if (due > uno->cycle + SLICE_CYCLES) {
        start_cycle -= due - uno->cycle - SLICE_CYCLES;
        due = uno->cycle + SLICE_CYCLES;
    }
    uno_run_to(due);
    send_to_host();
    fflush(stdout);
    usleep(100);
}

int main(int argc, char **argv)
{
    const char *hex = NULL, *boot = NULL;
    bool direct = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--hex") && i + 1 < argc)
            hex = argv[++i];
        else if (!strcmp(argv[i], "--boot") && i + 1 < argc)
            boot = argv[++i];
        else if (!strcmp(argv[i], "--link") && i + 1 < argc)
            desk.link_path = argv[++i];
        else if (!strcmp(argv[i], "--direct"))
            direct = true;
        else if (!strcmp(argv[i], "--lockstep"))
            lockstep = true;
        else if (strcmp(argv[i], "--pty")) {
            fprintf(stderr, "usage: simavr_board [--hex FILE] [--boot FILE] [--direct] --lockstep | --pty [--link PATH]\n");
            return 2;
        }
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    if (!uno_make(hex, boot))
        desk_die(&desk, hex ? hex : "no atmega328p");
    parts_connect(direct);
    plug_in();
    uno_reset(true);
    fflush(stdout);
    for (;;) {
        if (!lockstep)
            keep_pace();
        struct pollfd fds[2] = {{STDIN_FILENO, POLLIN, 0}, {desk.wire_fd, POLLIN, 0}};
        if (poll(fds, 2, lockstep ? -1 : 0) < 0 && errno != EINTR)
            desk_die(&desk, "poll");
        if (fds[0].revents && !desk_take_lines(obey))
            break;
        if (fds[1].revents & POLLIN) {
            uint8_t bytes[4096];
            ssize_t count = read(desk.wire_fd, bytes, sizeof bytes);
            for (ssize_t i = 0; i < count; i++)
                uno_hear(bytes[i]);
        }
        fflush(stdout);
    }
    pull_out();
    return 0;
}
