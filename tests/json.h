/* json.h - a reader of JSON for tests: the recorded files of the oracle. Everything it makes is
   freed at once by json_free. */
#ifndef IRL_TEST_JSON_H
#define IRL_TEST_JSON_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum json_kind {
    JSON_NULL,
    JSON_BOOL,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT
} json_kind;

typedef struct json json;
struct json {
    json_kind   kind;
    const char *key;  /* of a member */
    const char *text; /* of a string; of a number as written */
    double      number;
    json       *first, *next; /* elements or members; the next of the same parent */
};

typedef struct json_file {
    char *text;
    json *nodes;
    size_t count, capacity;
    char  *at;
    json  *root;
} json_file;

static json *json_node(json_file *f, json_kind kind)
{
    json *n;
    if (f->count == f->capacity) return NULL;
    n = &f->nodes[f->count++];
    memset(n, 0, sizeof *n);
    n->kind = kind;
    return n;
}

static void json_space(json_file *f)
{
    while (*f->at == ' ' || *f->at == '\n' || *f->at == '\t' || *f->at == '\r') f->at++;
}

/* In place: the closing quote becomes the end. Escapes beyond the usual become '?'. */
static char *json_string(json_file *f)
{
    char *begin = ++f->at, *to = begin;
    for (; *f->at && *f->at != '"'; f->at++) {
        if (*f->at != '\\') {
            *to++ = *f->at;
            continue;
        }
        f->at++;
        *to++ = *f->at == 'n' ? '\n' : *f->at == 't' ? '\t' : *f->at == 'u' ? '?' : *f->at;
        if (*f->at == 'u') f->at += 4;
    }
    if (*f->at) f->at++;
    *to = '\0';
    return begin;
}

static json *json_value(json_file *f)
{
    json *n, *last = NULL, *item;
    char  close;
    json_space(f);
    if (*f->at == '"') {
        n = json_node(f, JSON_STRING);
        if (n) n->text = json_string(f);
        return n;
    }
    if (*f->at == '{' || *f->at == '[') {
        close = *f->at == '{' ? '}' : ']';
        n = json_node(f, close == '}' ? JSON_OBJECT : JSON_ARRAY);
        f->at++;
        for (json_space(f); n && *f->at && *f->at != close; json_space(f)) {
            char *key = NULL;
            if (close == '}') {
                key = json_string(f);
                json_space(f);
                f->at++; /* the colon */
            }
            item = json_value(f);
            if (!item) return NULL;
            item->key = key;
            if (last) last->next = item;
            else n->first = item;
            last = item;
            json_space(f);
            if (*f->at == ',') f->at++;
        }
        if (*f->at) f->at++;
        return n;
    }
    if (*f->at == 't' || *f->at == 'f') {
        n = json_node(f, JSON_BOOL);
        if (n) n->number = *f->at == 't';
        f->at += *f->at == 't' ? 4 : 5;
        return n;
    }
    if (*f->at == 'n') {
        f->at += 4;
        return json_node(f, JSON_NULL);
    }
    n = json_node(f, JSON_NUMBER);
    if (n) n->text = f->at;
    if (n) n->number = strtod(f->at, &f->at);
    return n;
}

/* NULL if the file cannot be read. */
static json *json_read(json_file *f, const char *path)
{
    FILE  *in = fopen(path, "rb");
    long   size;
    memset(f, 0, sizeof *f);
    if (!in) return NULL;
    fseek(in, 0, SEEK_END);
    size = ftell(in);
    rewind(in);
    f->text = (char *)malloc((size_t)size + 1);
    f->capacity = (size_t)size / 2 + 16;
    f->nodes = (json *)malloc(f->capacity * sizeof *f->nodes);
    if (f->text && f->nodes && fread(f->text, 1, (size_t)size, in) == (size_t)size) {
        f->text[size] = '\0';
        f->at = f->text;
        f->root = json_value(f);
    }
    fclose(in);
    return f->root;
}

static void json_free(json_file *f)
{
    free(f->text);
    free(f->nodes);
    memset(f, 0, sizeof *f);
}

/* A member by name, NULL if there is none. */
static const json *json_get(const json *object, const char *key)
{
    const json *n;
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (n = object->first; n; n = n->next)
        if (strcmp(n->key, key) == 0) return n;
    return NULL;
}

static const char *json_text(const json *n) { return n && n->kind == JSON_STRING ? n->text : ""; }
static long long json_int(const json *n)
{
    return n && n->kind == JSON_NUMBER ? strtoll(n->text, NULL, 10) : 0;
}

static int json_count(const json *n)
{
    int         k = 0;
    const json *i;
    for (i = n ? n->first : NULL; i; i = i->next) k++;
    return k;
}

/* A recorded file of the oracle: IRL_SHARED, or ../shared beside the repository. */
static json *json_oracle(json_file *f, const char *name)
{
    char        path[512];
    const char *shared = getenv("IRL_SHARED");
    snprintf(path, sizeof path, "%s/oracle/%s", shared ? shared : "../shared", name);
    (void)json_get, (void)json_text, (void)json_int, (void)json_count, (void)json_free;
    return json_read(f, path);
}

#endif
