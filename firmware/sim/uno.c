/* See uno.h.
 *
 * What it adds to simavr 1.6, each found by measurement: bytes arrive at the line's true pace and are lost when three are
 * unread (simavr buffers 64); ten bits a byte (simavr counts a parity bit); inputs are driven anew after a reset (simavr forgets
 * them); no sleeping of its own; no polling of INT0 and INT1, whose pins are the rim and the buzzer here (simavr would wake the
 * processor at every cycle while they are low).
 */
#include "uno.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "avr_extint.h"
#include "avr_uart.h"

#include "parts.h"

enum {
    HOST_BYTE_CYCLES = 1389, /* ten bits at a true 115200 baud */
    PAUSE_CYCLES = 3000,
    QUEUE = 1 << 16,
    BOOT_AT = 0x7E00,
    JAM_AT = 0x7000,
    MCUSR_AT = 0x54,
    UCSR0A_AT = 0xC0,
    UBRR0L_AT = 0xC4,
    RAM_PAINT = 0xA5
};

DEFINE_FIFO(uint16_t, uart_fifo); /* avr_uart.h only declares it */

avr_t *uno;
struct uno_counts uno_counts;

static avr_uart_t *uart;
static void (*core_reset)(avr_t *);
static bool just_reset;

static uint8_t rx_queue[QUEUE], tx_queue[QUEUE];
static uint64_t tx_when[QUEUE];
static uint32_t rx_head, rx_tail, tx_head, tx_tail;
static uint64_t rx_next;

unsigned long long uno_us(void) { return uno->cycle / CYCLES_US; }

/* ---- serial ---- */

static uint32_t board_byte_cycles(void)
{
    uint32_t divisor = (uint32_t)(uno->data[UBRR0L_AT] | uno->data[UBRR0L_AT + 1] << 8) + 1;
    return 10 * divisor * (uno->data[UCSR0A_AT] & 2 ? 8 : 16);
}

static void on_uart(struct avr_irq_t *irq, uint32_t value, void *param)
{
    (void)irq, (void)param;
    uart->cycles_per_byte = board_byte_cycles();
    uint64_t start = tx_tail != tx_head ? tx_when[(tx_tail - 1) % QUEUE] : 0;
    if (start < uno->cycle)
        start = uno->cycle;
    if (tx_tail - tx_head < QUEUE) {
        tx_queue[tx_tail % QUEUE] = (uint8_t)value;
        tx_when[tx_tail++ % QUEUE] = start + uart->cycles_per_byte;
    }
    uno_counts.sent++;
}

static void deliver_byte(void)
{
    uint8_t byte = rx_queue[rx_head++ % QUEUE];
    uno_counts.received++;
    uart->cycles_per_byte = board_byte_cycles();
    if (uart_fifo_get_read_size(&uart->input) >= 3)
        uno_counts.overruns++; /* two in the buffer and one in the shift register are unread: this one is lost */
    else
        avr_raise_irq(avr_io_getirq(uno, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
}

void uno_hear(uint8_t byte)
{
    if (rx_head == rx_tail && rx_next < uno->cycle)
        rx_next = uno->cycle;
    if (rx_tail - rx_head < QUEUE)
        rx_queue[rx_tail++ % QUEUE] = byte;
}

void uno_forget(void) { rx_head = rx_tail; }

size_t uno_said(uint8_t *bytes, size_t room, uint64_t *when)
{
    size_t count = 0;
    while (tx_head != tx_tail && tx_when[tx_head % QUEUE] <= uno->cycle && count < room) {
        if (count && tx_when[tx_head % QUEUE] - *when > PAUSE_CYCLES)
            break;
        *when = tx_when[tx_head % QUEUE];
        bytes[count++] = tx_queue[tx_head++ % QUEUE];
        if (count > 1 && bytes[count - 1] == 0)
            break;
    }
    return count;
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
    avr_extint_set_strict_lvl_trig(uno, 0, 0);
    avr_extint_set_strict_lvl_trig(uno, 1, 0);
    parts_drive_inputs(true);
}

void uno_run_to(uint64_t cycle)
{
    while (uno->cycle < cycle) {
        uint64_t stop = cycle;
        if (rx_head != rx_tail) {
            if (rx_next <= uno->cycle) {
                deliver_byte();
                rx_next = (rx_next + HOST_BYTE_CYCLES > uno->cycle ? rx_next : uno->cycle) + HOST_BYTE_CYCLES;
                continue;
            }
            if (rx_next < stop)
                stop = rx_next;
        }
        avr_cycle_timer_register(uno, stop - uno->cycle, wake, NULL); /* or sleep would pass it by */
        while (uno->cycle < stop) {
            if (just_reset)
                after_reset();
            int state = avr_run(uno);
            if (state == cpu_Done || state == cpu_Crashed) {
                printf("crashed %llu\n", uno_us());
                fflush(stdout);
                exit(3);
            }
        }
        parts_look_at_strip();
    }
}

static void on_reset(avr_t *core)
{
    if (core_reset)
        core_reset(core);
    printf("R %llu\n", uno_us());
    just_reset = true; /* simavr resets its ports and interrupts only after this */
    parts_look_at_outputs();
}

void uno_reset(bool power)
{
    if (power) {
        memset(uno->data + 0x100, RAM_PAINT, uno->ramend + 1u - 0x100);
        parts_power_off();
    }
    rx_head = rx_tail;
    tx_head = tx_tail;
    avr_reset(uno);
    uno->state = cpu_Running;
    uno->data[MCUSR_AT] = power ? 1 : 2; /* PORF or EXTRF: simavr sets none */
}

void uno_jam(void)
{
    uno->flash[JAM_AT] = 0xFF; /* rjmp to itself */
    uno->flash[JAM_AT + 1] = 0xCF;
    uno->pc = JAM_AT;
    uno->state = cpu_Running;
}

unsigned uno_untouched_ram(void)
{
    unsigned longest = 0, run = 0;
    for (unsigned i = 0x100; i <= uno->ramend; i++) {
        run = uno->data[i] == RAM_PAINT ? run + 1 : 0;
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

static bool load_hex(const char *path)
{
    char text[600];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(text, sizeof text, file)) {
        if (text[0] != ':' || strlen(text) < 11)
            continue;
        unsigned count = from_hex(text + 1, 2), at = from_hex(text + 3, 4), kind = from_hex(text + 7, 2);
        for (unsigned i = 0; kind == 0 && i < count; i++)
            if (at + i <= uno->flashend)
                uno->flash[at + i] = (uint8_t)from_hex(text + 9 + 2 * i, 2);
    }
    fclose(file);
    return true;
}

bool uno_make(const char *hex, const char *boot)
{
    uno = avr_make_mcu_by_name("atmega328p");
    if (!uno || avr_init(uno))
        return false;
    uno->frequency = FREQUENCY;
    uno->log = LOG_ERROR;
    uno->sleep = do_not_sleep;
    if ((hex && !load_hex(hex)) || (boot && !load_hex(boot)))
        return false;
    if (boot)
        uno->reset_pc = BOOT_AT;
    for (avr_io_t *io = uno->io_port; io; io = io->next)
        if (!strcmp(io->kind, "uart"))
            uart = (avr_uart_t *)io;
    if (!uart)
        return false;
    uint32_t flags = 0;
    avr_ioctl(uno, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(uno, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_uart, NULL);
    core_reset = uno->reset;
    uno->reset = on_reset;
    return true;
}
