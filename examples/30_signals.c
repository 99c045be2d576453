/* 30_signals.c - the signals of a CAN frame, in both orders of bytes.

       cc -I. -I/usr/include/stb examples/30_signals.c -lm && ./a.out

   A database of frames describes each signal as START|LENGTH@ORDER SIGN. START names bit START % 8
   of byte START / 8. In Intel's order (1) this is the least significant bit of the signal. Such a
   signal is bits(lsb), with the offset START. In Motorola's order (0) it is the most significant
   bit. Such a signal is bits(msb), which counts the bits of a byte from the other end, so its
   offset is START / 8 * 8 + 7 - START % 8. The frame is a record, and the library proves that no
   two signals have a bit in common. One function reads a whole frame, another one writes it. The
   second writes each byte once, even if the byte holds parts of two signals. */
#define IRLAYOUT_IMPLEMENTATION
#include "irlayout.h"

#include <stdio.h>

/*  SG_ speed    : 7|16@0+  (0.01,0)  km/h
    SG_ torque   : 19|12@0- (0.5,0)   Nm
    SG_ gear     : 20|4@1+
    SG_ engine   : 34|14@1+ (0.5,0)   rpm
    SG_ brake    : 32|1@1+
    SG_ steering : 48|11@1- (0.1,0)   degrees */

IRL_KERNEL(read_frame, (frame: u8[8], value: i32[6]) {
    record s bytes(8) data(frame) bits(lsb) {
        speed: u16 bits(msb);
        torque: i12 offset(20) bits(msb);
        gear: u4 offset(20);
        brake: u1 offset(32);
        engine: u14 offset(34);
        steering: i11 offset(48);
    }
    value[0] = i32(s_speed[]);
    value[1] = i32(s_torque[]);
    value[2] = i32(s_gear[]);
    value[3] = i32(s_engine[]);
    value[4] = i32(s_brake[]);
    value[5] = i32(s_steering[]);
});

IRL_KERNEL(write_frame, (value: i32[6], frame: u8[8]) {
    record s bytes(8) data(frame) bits(lsb) {
        speed: u16 bits(msb);
        torque: i12 offset(20) bits(msb);
        gear: u4 offset(20);
        brake: u1 offset(32);
        engine: u14 offset(34);
        steering: i11 offset(48);
    }
    s_speed[] = u16(value[0]);
    s_torque[] = i16(value[1]);
    s_gear[] = u8(value[2]);
    s_engine[] = u16(value[3]);
    s_brake[] = u8(value[4]);
    s_steering[] = i16(value[5]);
});

int main(void)
{
    static const char *const names[6] = { "speed", "torque", "gear", "engine", "brake",
                                          "steering" };
    static const double      units[6] = { 0.01, 0.5, 1, 0.5, 1, 0.1 };
    irl_ctx      *cx = irl_ctx_create(NULL);
    unsigned char frame[8] = { 0 };
    int32_t       sent[6] = { 8350, -246, 5, 5280, 1, -455 }, value[6];
    int           k, ok;
    ok = irl_module_interpret(irl_func_lower(irl_kernel(cx, &write_frame), &irl_target_c99),
                              IRL_ARGS(sent, frame)) &&
         irl_module_interpret(irl_func_lower(irl_kernel(cx, &read_frame), &irl_target_c99),
                              IRL_ARGS(frame, value));
    for (k = 0; k < 8; k++) printf("%02x%s", frame[k], k < 7 ? " " : "\n");
    for (k = 0; ok && k < 6; k++) printf("%-9s %8.2f\n", names[k], value[k] * units[k]);
    for (k = 0; k < 6; k++) ok &= value[k] == sent[k];
    if (!irl_ok(cx)) fprintf(stderr, "%s\n", irl_diag_text(cx));
    irl_ctx_destroy(cx);
    return !ok;
}
