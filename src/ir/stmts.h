/* stmts.h - every kind of statement, and what it is made of: IRL_STMT_ROW(NAME, field, ...).

   A field is IRL__ONE(kind, member), the thing itself; IRL__MANY(kind, member, count), a list and
   its length; IRL__RANK(kind, member, buffer), a list with one for each axis of that buffer. The
   kinds are those of irl__field_kind (ir.h); what is bound comes after what does not see it.

   From these rows walking and rewriting (visit.c), equality and hash (form.c) and depth (stmt.c)
   are made. What a statement means is where each is printed and read, verified, run and emitted.
   Re-includable; undefines its macro. */
/* re-includable table */
IRL_STMT_ROW(SEQ, IRL__MANY(STMT, u.seq.stmts, u.seq.count))
IRL_STMT_ROW(FOR, IRL__ONE(EXPR, u.loop.min), IRL__ONE(EXPR, u.loop.extent),
             IRL__MANY(NOTE, u.loop.annotations, u.loop.annotation_count),
             IRL__ONE(VAR, u.loop.var), IRL__ONE(STMT, u.loop.body))
IRL_STMT_ROW(BLOCK, IRL__ONE(BLOCK, u.block))
IRL_STMT_ROW(IF, IRL__ONE(EXPR, u.branch.condition), IRL__ONE(STMT, u.branch.then_),
             IRL__ONE(STMT, u.branch.else_))
IRL_STMT_ROW(LET, IRL__ONE(EXPR, u.let.value), IRL__ONE(VAR, u.let.var))
IRL_STMT_ROW(STORE, IRL__ONE(BUFFER, u.store.buffer), IRL__ONE(EXPR, u.store.value),
             IRL__RANK(EXPR, u.store.indices, u.store.buffer))
IRL_STMT_ROW(ALLOC, IRL__ONE(NEW, u.alloc.buffer))
IRL_STMT_ROW(DECL, IRL__ONE(NEW, u.alloc.buffer))
IRL_STMT_ROW(ASSUME, IRL__ONE(EXPR, u.check.condition))
IRL_STMT_ROW(ASSERT, IRL__ONE(EXPR, u.check.condition), IRL__ONE(NAME, u.check.message),
             IRL__MANY(EXPR, u.check.values, u.check.value_count))
IRL_STMT_ROW(BARRIER, IRL__END)
IRL_STMT_ROW(EVALUATE, IRL__ONE(EXPR, u.evaluate.value))
IRL_STMT_ROW(ATTR, IRL__ONE(NAME, u.attr.annotation.key), IRL__ONE(NAME, u.attr.annotation.text),
             IRL__ONE(EXPR, u.attr.annotation.value), IRL__ONE(STMT, u.attr.body))
IRL_STMT_ROW(LAUNCH, IRL__ONE(NAME, u.launch.kernel),
             IRL__MANY(EXPR, u.launch.args, u.launch.count))
#undef IRL_STMT_ROW
