/* The board as a process of the desktop: the same loop behind a pseudo-terminal, a loopback socket, or in lockstep.
 *
 *   domino_board_host --pty [--link PATH] | --socket | --lockstep
 *
 * Prints the port's name first. Lines on standard input move the hands: B hex (contacts closed), M 0|1 (mute switch),
 * R (reset), P (power off and on), U (pull the cable), V (plug it in again), Q; the end of the input ends the process.
 * Lines on standard output say what a person would see: L us red green blue (lamps, hex bits), Z us 0|1 (buzzer),
 * W us rrggbb... (rim). In lockstep time passes only by T us, which ends with a line "."; X hex sends bytes, Y us hex
 * are bytes received. firmware/sim speaks the same lines, so tests drive either.
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE

#include <arpa/inet.h>   /* htons, ntohs */
#include <errno.h>
#include <fcntl.h>       /* O_NONBLOCK */
#include <netinet/in.h>  /* sockaddr_in */
#include <netinet/tcp.h> /* TCP_NODELAY */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "desk.h"
#include "hal.h"

enum mode { MODE_PTY, MODE_SOCKET, MODE_LOCKSTEP };
enum { INPUT_MAX = 4096 };

static enum mode mode;
static struct desk desk = {"domino_board_host", NULL, -1, -1};
static int listen_fd = -1;
static uint64_t start_us, virtual_us;
static uint16_t session, contacts;
static bool mute_switch;
static uint8_t reset_cause;
static uint8_t input[INPUT_MAX];
static size_t input_count, input_at;

static uint64_t now_us(void)
{
    struct timespec now;
    if (mode == MODE_LOCKSTEP)
        return virtual_us;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000 - start_us;
}

/* ---- what the board calls ---- */

void hal_start(struct board_identity *identity)
{
    identity->variant = VARIANT_HOST;
    identity->seats = SEATS_MAX;
    identity->rim = RIM_MAX;
    identity->reset_cause = reset_cause;
    identity->session = session;
}

uint32_t hal_millis(void) { return (uint32_t)(now_us() / 1000); }

bool hal_read(uint8_t *byte)
{
    if (input_at == input_count) {
        input_at = input_count = 0;
        if (desk.wire_fd >= 0) {
            ssize_t count = read(desk.wire_fd, input, sizeof input);
            if (count > 0)
                input_count = (size_t)count;
            else if (mode == MODE_SOCKET && (count == 0 || (errno != EAGAIN && errno != EINTR))) {
                close(desk.wire_fd); /* the client went; another may come */
                desk.wire_fd = -1;
            }
        }
    }
    if (input_at == input_count)
        return false;
    *byte = input[input_at++];
    return true;
}

uint8_t hal_write_room(void) { return FRAME_WIRE_MAX; }

void hal_write(const uint8_t *bytes, uint8_t count)
{
    if (mode == MODE_LOCKSTEP) {
        printf("Y %llu ", (unsigned long long)now_us());
        for (uint8_t i = 0; i < count; i++)
            printf("%02x", bytes[i]);
        printf("\n");
    } else if (desk.wire_fd >= 0 && write(desk.wire_fd, bytes, count) < 0) {
        /* Nobody reads: the frame is lost as on a real cable, and repeated. */
    }
}

uint16_t hal_contacts(void) { return contacts; }
bool hal_mute_switch(void) { return mute_switch; }

void hal_lamps(struct board_lamps lamps)
{
    printf("L %llu %03x %03x %03x\n", (unsigned long long)now_us(), lamps.red, lamps.green, lamps.blue);
}

void hal_buzzer(bool on) { printf("Z %llu %d\n", (unsigned long long)now_us(), on); }

void hal_rim(const uint8_t *rgb, uint8_t pixels)
{
    printf("W %llu ", (unsigned long long)now_us());
    for (int i = 0; i < 3 * pixels; i++)
        printf("%02x", rgb[i]);
    printf("\n");
}

void hal_alive(void) {}
void hal_rest(void) {}

/* ---- the cable ---- */

static void plug_in(void)
{
    if (mode == MODE_PTY) {
        desk_plug_in(&desk);
    } else if (mode == MODE_SOCKET) {
        struct sockaddr_in address;
        socklen_t size = sizeof address;
        memset(&address, 0, sizeof address);
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        listen_fd = socket(AF_INET, SOCK_STREAM, 0);
        if (listen_fd < 0 || bind(listen_fd, (struct sockaddr *)&address, size) || listen(listen_fd, 1) ||
            getsockname(listen_fd, (struct sockaddr *)&address, &size))
            desk_die(&desk, "no socket");
        fcntl(listen_fd, F_SETFL, O_NONBLOCK);
        printf("port socket://127.0.0.1:%d\n", ntohs(address.sin_port));
    } else {
        printf("port lockstep\n");
    }
}

static void pull_out(void)
{
    if (listen_fd >= 0)
        close(listen_fd);
    listen_fd = -1;
    desk_pull_out(&desk);
    input_at = input_count = 0;
}

static void new_life(uint8_t cause)
{
    session++;
    reset_cause = cause;
    loop_start();
    /* A real board has long settled before a hand reaches a button: let it see its contacts open before anything comes. */
    for (int turn = 0; mode != MODE_LOCKSTEP && turn < 2 * RELEASE_MS; turn++) {
        start_us -= 1000;
        loop_turn();
    }
}

/* ---- the hands ---- */

static void receive_hex(const char *hex)
{
    input_at = 0;
    input_count = desk_bytes(hex, input, sizeof input);
    while (input_at < input_count) /* a turn ends after each frame; the rest waits for the next */
        loop_turn();
}

static bool obey(const char *text)
{
    const char *rest = text + (text[0] != 0);
    switch (text[0]) {
    case 'B': contacts = (uint16_t)strtoul(rest, NULL, 16); break;
    case 'M': mute_switch = atoi(rest) != 0; break;
    case 'R': new_life(RESET_CAUSE_EXTERNAL); break;
    case 'P': new_life(RESET_CAUSE_POWER); break;
    case 'U': pull_out(); break;
    case 'V': pull_out(); plug_in(); break;
    case 'Q': return false;
    case 'X': receive_hex(rest); break;
    case 'T': {
        uint64_t until = virtual_us + strtoull(rest, NULL, 10);
        while (virtual_us < until) {
            uint64_t next = (virtual_us / 1000 + 1) * 1000;
            virtual_us = next < until ? next : until;
            loop_turn();
        }
        printf(".\n");
        break;
    }
    default: break;
    }
    return true;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--socket"))
            mode = MODE_SOCKET;
        else if (!strcmp(argv[i], "--lockstep"))
            mode = MODE_LOCKSTEP;
        else if (!strcmp(argv[i], "--link") && i + 1 < argc)
            desk.link_path = argv[++i];
        else if (strcmp(argv[i], "--pty")) {
            fprintf(stderr, "usage: domino_board_host --pty [--link PATH] | --socket | --lockstep\n");
            return 2;
        }
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* Ctrl-C is for the program that started us; it closes our input */
    start_us = mode == MODE_LOCKSTEP ? 0 : now_us();
    if (mode != MODE_LOCKSTEP) {
        struct timespec seed;
        clock_gettime(CLOCK_REALTIME, &seed);
        session = (uint16_t)((unsigned long)seed.tv_nsec / 1000 ^ (unsigned long)getpid());
    }
    plug_in();
    new_life(RESET_CAUSE_POWER);
    fflush(stdout);
    for (;;) {
        struct pollfd fds[3] = {{STDIN_FILENO, POLLIN, 0}, {desk.wire_fd, POLLIN, 0}, {listen_fd, POLLIN, 0}};
        int ready = poll(fds, 3, mode == MODE_LOCKSTEP ? -1 : input_at < input_count ? 0 : 1);
        if (ready < 0 && errno != EINTR)
            desk_die(&desk, "poll");
        if (fds[0].revents && !desk_take_lines(obey))
            break;
        if (fds[2].revents & POLLIN) {
            int client = accept(listen_fd, NULL, NULL);
            int yes = 1;
            if (client >= 0) {
                if (desk.wire_fd >= 0)
                    close(desk.wire_fd);
                desk.wire_fd = client;
                fcntl(desk.wire_fd, F_SETFL, O_NONBLOCK);
                setsockopt(desk.wire_fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            }
        }
        if (mode != MODE_LOCKSTEP)
            loop_turn();
        fflush(stdout);
        if (ferror(stdout))
            break;
    }
    pull_out();
    return 0;
}
