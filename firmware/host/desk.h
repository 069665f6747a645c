/* What programs that stand for a board share: the cable as a pseudo-terminal, and the lines that move the hands. */
#ifndef DOMINO_DESK_H
#define DOMINO_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct desk {
    const char *program;   /* its name, for error messages */
    const char *link_path; /* a fixed name for the pseudo-terminal, or NULL */
    int wire_fd;           /* the board's end, or -1 while the cable is out */
    int keep_fd;           /* the computer's end, held open: reading fails for ever once a client has closed it */
};

/* Say what failed, and why if the system knows, and end. */
void desk_die(const struct desk *desk, const char *what);

/* Open a pseudo-terminal and print "port NAME". */
void desk_plug_in(struct desk *desk);

/* Close it. */
void desk_pull_out(struct desk *desk);

/* Read what came on standard input and hand each whole line to `obey`; false when it said so or the input has ended. */
bool desk_take_lines(bool (*obey)(const char *line));

/* The bytes that hex digits spell, at most `room`; how many. */
size_t desk_bytes(const char *hex, uint8_t *bytes, size_t room);

#endif
