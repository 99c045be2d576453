/* 30_signals.c - the signals of a CAN frame, in both orders of bytes.

       cc -I. -I/usr/include/stb examples/30_signals.c -lm && ./a.out

   A database of frames says of each signal START|LENGTH@ORDER SIGN. An Intel signal (1) begins with
   its least significant bit at bit START % 8 of byte START / 8 and goes up: bits(lsb), at START. A
   Motorola one (0) begins there with its most significant bit and goes down: bits(msb), which
   counts the bits of a byte from the other end, so it is at START / 8 * 8 + 7 - START % 8. One
   function reads all of a frame, one writes it. */
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
    decl speed: u16[1] data(frame) bits(msb);
    decl torque: i12[1] data(frame) offset(20) bits(msb);
    decl gear: u4[1] data(frame) offset(20) bits(lsb);
    decl engine: u14[1] data(frame) offset(34) bits(lsb);
    decl brake: u1[1] data(frame) offset(32) bits(lsb);
    decl steering: i11[1] data(frame) offset(48) bits(lsb);
    value[0] = i32(speed[0]);
    value[1] = i32(torque[0]);
    value[2] = i32(gear[0]);
    value[3] = i32(engine[0]);
    value[4] = i32(brake[0]);
    value[5] = i32(steering[0]);
});

IRL_KERNEL(write_frame, (value: i32[6], frame: u8[8]) {
    decl speed: u16[1] data(frame) bits(msb);
    decl torque: i12[1] data(frame) offset(20) bits(msb);
    decl gear: u4[1] data(frame) offset(20) bits(lsb);
    decl engine: u14[1] data(frame) offset(34) bits(lsb);
    decl brake: u1[1] data(frame) offset(32) bits(lsb);
    decl steering: i11[1] data(frame) offset(48) bits(lsb);
    speed[0] = u16(value[0]);
    torque[0] = i16(value[1]);
    gear[0] = u8(value[2]);
    engine[0] = u16(value[3]);
    brake[0] = u8(value[4]);
    steering[0] = i16(value[5]);
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
