/* An Uno with the board's parts around it, running the real image in simavr.
 *
 *   simavr_board [--hex FILE] [--boot FILE] [--direct] --lockstep | --pty [--link PATH]
 *
 * Speaks the lines of firmware/host/port_host.c, so that the same tests drive both. More of them here: J makes the processor
 * hang; S prints "S cycles overruns received sent untouched_ram"; a reset prints "R us". W lines carry six more numbers:
 * cycles high of a 0, of a 1, and from bit to bit, least and most each. --boot puts a bootloader at 0x7E00 and starts there.
 *
 * simavr is under the GPL (version 3), so this is a program of its own for the tests and no part of what is installed.
 *
 * What it adds to simavr 1.6, each found by measurement: bytes arrive at the line's true pace and are lost when three are
 * unread (simavr buffers 64); ten bits a byte (simavr counts a parity bit); inputs are driven anew after a reset (simavr forgets
 * them); no sleeping of its own; no polling of INT0 and INT1, whose pins are the rim and the buzzer here (simavr would wake the
 * processor at every cycle while they are low).
 */
#define _XOPEN_SOURCE 700
#define _DEFAULT_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "avr_extint.h"
#include "avr_ioport.h"
#include "avr_uart.h"
#include "sim_avr.h"

#include "chips.h"

enum {
    FREQUENCY = 16000000,
    CYCLES_US = FREQUENCY / 1000000,
    HOST_BYTE_CYCLES = 1389, /* ten bits at a true 115200 baud */
    QUEUE = 1 << 16,
    SLICE_CYCLES = FREQUENCY / 500,
    BOOT_AT = 0x7E00,
    JAM_AT = 0x7000,
    MCUSR_AT = 0x54,
    UCSR0A_AT = 0xC0,
    UBRR0L_AT = 0xC4,
    TABLE_LAMP = 8,
    RAM_PAINT = 0xA5
};

DEFINE_FIFO(uint16_t, uart_fifo); /* avr_uart.h only declares it */

static avr_t *avr;
static avr_uart_t *uart;
static void (*core_reset)(avr_t *);
static bool direct, lockstep, just_reset;
static uint16_t contacts;
static bool mute_switch;
static struct registers chips;
static struct strip strip;
static uint32_t shown_lamps[3] = {~0u, 0, 0};
static int shown_buzzer = -1;

static uint8_t rx_queue[QUEUE], tx_queue[QUEUE];
static uint64_t tx_when[QUEUE];
static uint32_t rx_head, rx_tail, tx_head, tx_tail;
static uint64_t rx_next;
static unsigned overruns, received, sent;

static const char *link_path;
static int wire_fd = -1, keep_fd = -1;
static char line[1 << 17];
static size_t line_length;

static unsigned long long now_us(void) { return avr->cycle / CYCLES_US; }

static void die(const char *what)
{
    fprintf(stderr, "simavr_board: %s: %s\n", what, errno ? strerror(errno) : "failed");
    exit(1);
}

/* ---- pins ---- */

static avr_irq_t *pin(char port, int bit)
{
    static avr_irq_t *known[3][IOPORT_IRQ_COUNT]; /* simavr searches for them anew each time */
    avr_irq_t **irq = &known[port - 'B'][bit];
    if (!*irq)
        *irq = avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), bit);
    return *irq;
}

static bool driven(char port, int bit, bool *level)
{
    /* PINx, DDRx and PORTx follow each other from 0x23 (B), 0x26 (C) and 0x29 (D). */
    const uint8_t *at = &avr->data[0x23 + 3 * (port - 'B')];
    *level = at[2] >> bit & 1;
    return at[1] >> bit & 1;
}

static bool high(char port, int bit)
{
    bool level;
    return driven(port, bit, &level) && level;
}

static void look_at_outputs(void)
{
    uint32_t lamps[3] = {0, 0, 0};
    bool off;
    if (direct) {
        lamps[0] = (uint32_t)high('B', 0) | (uint32_t)high('B', 2) << 1;
        lamps[1] = (uint32_t)high('B', 1) | (uint32_t)high('B', 3) << 1;
    } else if (driven('D', 7, &off) && !off) { /* a resistor holds OE high until the firmware pulls it low */
        for (int i = 0; i < 3; i++)
            lamps[i] = chips.latched >> (8 * i) & 0xFF;
    }
    lamps[0] |= (uint32_t)high('D', 5) << TABLE_LAMP;
    lamps[1] |= (uint32_t)high('D', 6) << TABLE_LAMP;
    if (memcmp(lamps, shown_lamps, sizeof lamps) != 0) {
        memcpy(shown_lamps, lamps, sizeof lamps);
        printf("L %llu %03x %03x %03x\n", now_us(), lamps[0], lamps[1], lamps[2]);
    }
    int buzzer = high('D', 3);
    if (buzzer != shown_buzzer) {
        shown_buzzer = buzzer;
        printf("Z %llu %d\n", now_us(), buzzer);
    }
}

static void drive(char port, int bit, bool level, bool anew)
{
    avr_irq_t *irq = pin(port, bit);
    if (anew)
        avr_raise_irq(irq, !level); /* an unchanged level would not be passed on */
    avr_raise_irq(irq, level);
}

static void drive_inputs(bool anew)
{
    drive('D', 4, !mute_switch, anew);
    if (direct) {
        for (int i = 0; i < 4; i++)
            drive('C', i, !(contacts >> i & 1), anew);
        return;
    }
    if (!chips.load)
        chips.buttons = registers_inputs(contacts);
    drive('B', 4, chips.buttons >> 15, anew);
}

static void on_pin(struct avr_irq_t *irq, uint32_t value, void *which)
{
    (void)irq;
    bool level = value & 1;
    switch ((int)(intptr_t)which) {
    case 0: chips.data = level; break;
    case 1:
        registers_clock(&chips, level);
        drive_inputs(false);
        break;
    case 2:
        registers_latch(&chips, level);
        look_at_outputs();
        break;
    case 3:
        chips.load = level;
        drive_inputs(false);
        break;
    case 4: strip_edge(&strip, level, avr->cycle); break;
    default: look_at_outputs(); break;
    }
}

static void on_direction(struct avr_irq_t *irq, uint32_t value, void *which)
{
    (void)irq, (void)value, (void)which;
    look_at_outputs();
}

static void look_at_strip(void)
{
    if (!strip_complete(&strip, avr->cycle))
        return;
    printf("W %llu ", (unsigned long long)(strip.fell / CYCLES_US));
    for (int i = 0; i + 2 < strip.bits / 8; i += 3) /* on the wire green comes first */
        printf("%02x%02x%02x", strip.bytes[i + 1], strip.bytes[i], strip.bytes[i + 2]);
    printf(" %u %u %u %u %u %u\n", strip.zero_high.least, strip.zero_high.most, strip.one_high.least,
           strip.one_high.most, strip.period.least, strip.period.most);
    strip_start(&strip);
}

/* ---- serial ---- */

static uint32_t board_byte_cycles(void)
{
    uint32_t divisor = (uint32_t)(avr->data[UBRR0L_AT] | avr->data[UBRR0L_AT + 1] << 8) + 1;
    return 10 * divisor * (avr->data[UCSR0A_AT] & 2 ? 8 : 16);
}

static void on_uart(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uart->cycles_per_byte = board_byte_cycles();
    uint64_t start = tx_tail != tx_head ? tx_when[(tx_tail - 1) % QUEUE] : 0;
    if (start < avr->cycle)
        start = avr->cycle;
    if (tx_tail - tx_head < QUEUE) {
        tx_queue[tx_tail % QUEUE] = (uint8_t)value;
        tx_when[tx_tail++ % QUEUE] = start + uart->cycles_per_byte;
    }
    sent++;
}

static void deliver_byte(void)
{
    uint8_t byte = rx_queue[rx_head++ % QUEUE];
    received++;
    uart->cycles_per_byte = board_byte_cycles();
    if (uart_fifo_get_read_size(&uart->input) >= 3)
        overruns++; /* two in the buffer and one in the shift register are unread: this one is lost */
    else
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
}

static void send_to_host(void)
{
    while (tx_head != tx_tail && tx_when[tx_head % QUEUE] <= avr->cycle) {
        uint8_t chunk[256];
        size_t count = 0;
        uint64_t when = 0;
        while (tx_head != tx_tail && tx_when[tx_head % QUEUE] <= avr->cycle && count < sizeof chunk) {
            if (count && tx_when[tx_head % QUEUE] - when > 3000)
                break;
            when = tx_when[tx_head % QUEUE];
            chunk[count++] = tx_queue[tx_head++ % QUEUE];
            if (count > 1 && chunk[count - 1] == 0)
                break; /* a line a frame, with the time of its last byte */
        }
        if (lockstep) {
            printf("Y %llu ", (unsigned long long)(when / CYCLES_US));
            for (size_t i = 0; i < count; i++)
                printf("%02x", chunk[i]);
            printf("\n");
        } else if (wire_fd >= 0 && write(wire_fd, chunk, count) < 0) {
            /* nobody listens */
        }
    }
}

/* ---- the processor ---- */

static void do_not_sleep(avr_t *core, avr_cycle_count_t cycles) { (void)core, (void)cycles; }

static avr_cycle_count_t wake(avr_t *core, avr_cycle_count_t when, void *param)
{
    (void)core, (void)when, (void)param;
    return 0;
}

static void after_reset(void)
{
    just_reset = false;
    avr_extint_set_strict_lvl_trig(avr, 0, 0);
    avr_extint_set_strict_lvl_trig(avr, 1, 0);
    drive_inputs(true);
}

static void run_to(uint64_t target)
{
    while (avr->cycle < target) {
        uint64_t stop = target;
        if (rx_head != rx_tail) {
            if (rx_next <= avr->cycle) {
                deliver_byte();
                rx_next = (rx_next + HOST_BYTE_CYCLES > avr->cycle ? rx_next : avr->cycle) + HOST_BYTE_CYCLES;
                continue;
            }
            if (rx_next < stop)
                stop = rx_next;
        }
        avr_cycle_timer_register(avr, stop - avr->cycle, wake, NULL); /* or sleep would pass it by */
        while (avr->cycle < stop) {
            if (just_reset)
                after_reset();
            int state = avr_run(avr);
            if (state == cpu_Done || state == cpu_Crashed) {
                printf("crashed %llu\n", now_us());
                fflush(stdout);
                exit(3);
            }
        }
        look_at_strip();
    }
}

static void on_reset(avr_t *core)
{
    if (core_reset)
        core_reset(core);
    printf("R %llu\n", now_us());
    just_reset = true; /* simavr resets its ports and interrupts only after this */
    look_at_outputs();
}

static void reset(bool power)
{
    uint8_t paint[1];
    if (power) {
        paint[0] = RAM_PAINT;
        memset(avr->data + 0x100, paint[0], avr->ramend + 1u - 0x100);
        memset(&chips, 0, sizeof chips);
    }
    rx_head = rx_tail;
    tx_head = tx_tail;
    avr_reset(avr);
    avr->state = cpu_Running;
    avr->data[MCUSR_AT] = power ? 1 : 2; /* PORF or EXTRF: simavr sets none */
}

static void jam(void)
{
    avr->flash[JAM_AT] = 0xFF; /* rjmp to itself */
    avr->flash[JAM_AT + 1] = 0xCF;
    avr->pc = JAM_AT;
    avr->state = cpu_Running;
}

static unsigned untouched_ram(void)
{
    unsigned longest = 0, run = 0;
    for (unsigned i = 0x100; i <= avr->ramend; i++) {
        run = avr->data[i] == RAM_PAINT ? run + 1 : 0;
        if (run > longest)
            longest = run;
    }
    return longest;
}

static unsigned from_hex(const char *text, int digits)
{
    char part[9] = {0};
    memcpy(part, text, (size_t)digits);
    return (unsigned)strtoul(part, NULL, 16);
}

static void load_hex(const char *path)
{
    char text[600];
    FILE *file = fopen(path, "r");
    if (!file)
        die(path);
    while (fgets(text, sizeof text, file)) {
        if (text[0] != ':' || strlen(text) < 11)
            continue;
        unsigned count = from_hex(text + 1, 2), at = from_hex(text + 3, 4), kind = from_hex(text + 7, 2);
        for (unsigned i = 0; kind == 0 && i < count; i++)
            if (at + i <= avr->flashend)
                avr->flash[at + i] = (uint8_t)from_hex(text + 9 + 2 * i, 2);
    }
    fclose(file);
}

static void connect_parts(void)
{
    static const struct { char port; int bit, which; bool shift_only; } watched[] = {
        {'B', 0, 0, true}, {'B', 1, 1, true}, {'B', 2, 2, true}, {'B', 3, 3, true}, {'D', 2, 4, false},
        {'D', 3, 5, false}, {'D', 5, 5, false}, {'D', 6, 5, false}, {'D', 7, 5, true},
    };
    for (size_t i = 0; i < sizeof watched / sizeof watched[0]; i++)
        if (!direct || !watched[i].shift_only)
            avr_irq_register_notify(pin(watched[i].port, watched[i].bit), on_pin, (void *)(intptr_t)watched[i].which);
    for (int bit = 0; direct && bit < 4; bit++)
        avr_irq_register_notify(pin('B', bit), on_pin, (void *)(intptr_t)5);
    for (char port = 'B'; port <= 'D'; port = (char)(port + 2))
        avr_irq_register_notify(pin(port, IOPORT_IRQ_DIRECTION_ALL), on_direction, NULL);
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    if (!uart)
        die("no serial port in this processor");
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart, NULL);
}

/* ---- cable and hands ---- */

static void plug_in(void)
{
    struct termios raw;
    if (lockstep) {
        printf("port lockstep\n");
        return;
    }
    wire_fd = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name = wire_fd < 0 || grantpt(wire_fd) || unlockpt(wire_fd) ? NULL : ptsname(wire_fd);
    if (!name || (keep_fd = open(name, O_RDWR | O_NOCTTY)) < 0 || tcgetattr(keep_fd, &raw))
        die("no pseudo-terminal");
    raw.c_iflag = raw.c_oflag = raw.c_lflag = 0;
    raw.c_cflag = CS8 | CREAD | CLOCAL;
    tcsetattr(keep_fd, TCSANOW, &raw);
    fcntl(wire_fd, F_SETFL, O_NONBLOCK);
    if (link_path) {
        unlink(link_path);
        if (symlink(name, link_path))
            die(link_path);
    }
    printf("port %s\n", link_path ? link_path : name);
}

static void pull_out(void)
{
    if (wire_fd >= 0)
        close(wire_fd);
    if (keep_fd >= 0)
        close(keep_fd);
    wire_fd = keep_fd = -1;
    if (link_path)
        unlink(link_path);
    rx_head = rx_tail;
}

static void queue_byte(uint8_t byte)
{
    if (rx_head == rx_tail && rx_next < avr->cycle)
        rx_next = avr->cycle;
    if (rx_tail - rx_head < QUEUE)
        rx_queue[rx_tail++ % QUEUE] = byte;
}

static bool obey(const char *text)
{
    const char *rest = text + (text[0] != 0);
    switch (text[0]) {
    case 'B':
        contacts = (uint16_t)strtoul(rest, NULL, 16);
        drive_inputs(false);
        break;
    case 'M':
        mute_switch = atoi(rest) != 0;
        drive_inputs(false);
        break;
    case 'R': reset(false); break;
    case 'P': reset(true); break;
    case 'J': jam(); break;
    case 'U': pull_out(); break;
    case 'V':
        pull_out();
        plug_in();
        break;
    case 'Q': return false;
    case 'X':
        for (rest += strspn(rest, " "); rest[0] && rest[1]; rest += 2)
            queue_byte((uint8_t)from_hex(rest, 2));
        break;
    case 'T':
        run_to(avr->cycle + strtoull(rest, NULL, 10) * CYCLES_US);
        send_to_host();
        look_at_strip();
        printf(".\n");
        break;
    case 'S':
        printf("S %llu %u %u %u %u\n", (unsigned long long)avr->cycle, overruns, received, sent, untouched_ram());
        break;
    default: break;
    }
    return true;
}

static bool take_lines(void)
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
    return line_length < sizeof line - 1;
}

static uint64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int main(int argc, char **argv)
{
    const char *hex = NULL, *boot = NULL;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--hex") && i + 1 < argc)
            hex = argv[++i];
        else if (!strcmp(argv[i], "--boot") && i + 1 < argc)
            boot = argv[++i];
        else if (!strcmp(argv[i], "--link") && i + 1 < argc)
            link_path = argv[++i];
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
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr || avr_init(avr))
        die("no atmega328p");
    avr->frequency = FREQUENCY;
    avr->log = LOG_ERROR;
    avr->sleep = do_not_sleep;
    if (hex)
        load_hex(hex);
    if (boot) {
        load_hex(boot);
        avr->reset_pc = BOOT_AT;
    }
    connect_parts();
    core_reset = avr->reset;
    avr->reset = on_reset;
    plug_in();
    reset(true);
    fflush(stdout);
    uint64_t start_us = clock_us(), start_cycle = avr->cycle;
    for (;;) {
        struct pollfd fds[2] = {{STDIN_FILENO, POLLIN, 0}, {wire_fd, POLLIN, 0}};
        if (!lockstep) {
            uint64_t due = start_cycle + (clock_us() - start_us) * CYCLES_US;
            if (due > avr->cycle + SLICE_CYCLES) {
                /* A busy machine: go on slower than real time, rather than leave the line unattended to catch up. */
                start_cycle -= due - avr->cycle - SLICE_CYCLES;
                due = avr->cycle + SLICE_CYCLES;
            }
            run_to(due);
            send_to_host();
            fflush(stdout);
            usleep(100);
        }
        if (poll(fds, 2, lockstep ? -1 : 0) < 0 && errno != EINTR)
            die("poll");
        if (fds[0].revents && !take_lines())
            break;
        if (fds[1].revents & POLLIN) {
            uint8_t bytes[4096];
            ssize_t count = read(wire_fd, bytes, sizeof bytes);
            for (ssize_t i = 0; i < count; i++)
                queue_byte(bytes[i]);
        }
        fflush(stdout);
    }
    pull_out();
    return 0;
}
