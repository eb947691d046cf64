#!/usr/bin/python3
"""What "contest data" wrote, read with pandas: tables.py DIR SESSION=FILE.keys ...

Prints a line for each thing that is wrong: an id that is no text, a row that joins nothing, a number
that differs between CSV, JSON lines, messages and keys, and a key that is not that of the session's
journal as "transcript convert --to keys" has it. At last the numbers of rows."""
import datetime
import sys

import pandas

folder = sys.argv[1]
book = pandas.read_csv(f"{folder}/codebook.csv", keep_default_na=False)
table = {}
for name in ("people", "sessions", "verdicts", "fields", "messages", "keys", "acts"):
    # A person may be called "NA", and a message may be a blank.
    table[name] = pandas.read_csv(f"{folder}/{name}.csv", keep_default_na=False, na_values=[""])
    lines = pandas.read_json(f"{folder}/{name}.jsonl", lines=True, dtype=False)
    columns = book[(book.table == name) & (book.column != "")]
    if list(table[name].columns) != list(columns.column):
        print(f"{name}: columns {list(table[name].columns)}, the codebook has {list(columns.column)}")
    if len(lines) != len(table[name]):
        print(f"{name}: {len(table[name])} rows as CSV, {len(lines)} as JSON lines")
    for column in columns[columns.type == "id"].column if len(lines) else ():
        if table[name][column].dtype != object:
            print(f"{name}.{column}: is of type {table[name][column].dtype}")
        if not table[name][column].equals(lines[column]):
            print(f"{name}.{column}: CSV and JSON lines differ")

people, sessions, messages, keys = (table[n] for n in ("people", "sessions", "messages", "keys"))


def joins(name, column, other, key):
    lost = set(table[name][column].dropna()) - set(table[other][key])
    if lost:
        print(f"{name}.{column}: {lost} is not in {other}")


for name, column, other, key in (
        ("sessions", "judge", "people", "person"), ("sessions", "left", "people", "person"),
        ("sessions", "right", "people", "person"), ("verdicts", "session", "sessions", "session"),
        ("verdicts", "judge", "people", "person"), ("verdicts", "entity", "people", "person"),
        ("verdicts", "act", "acts", "act"), ("fields", "session", "sessions", "session"),
        ("fields", "judge", "people", "person"), ("fields", "act", "verdicts", "act"),
        ("messages", "session", "sessions", "session"), ("messages", "author", "people", "person"),
        ("keys", "session", "sessions", "session"), ("keys", "author", "people", "person")):
    joins(name, column, other, key)
if not sessions.session.is_unique or not people.person.is_unique:
    print("an id stands twice")

by_message = keys.groupby(["session", "side", "message"]).agg(
    keys=("key", "size"), first=("placed_us", "min"), last=("placed_us", "max")).reset_index()
both = messages.merge(by_message, on=["session", "side", "message"], how="outer", suffixes=("", "_2"))
for row in both[(both["keys"] != both.keys_2) | (both.first_us != both["first"]) |
                (both.posted_us != both["last"])].itertuples():
    print(f"message {row.session} {row.side} {row.message}: differs from its keys")
counted = sessions[sessions["keys"] > 0].set_index("session")["keys"]
if not counted.equals(keys.groupby("session").size().reindex(counted.index).astype(counted.dtype)):
    print("the sessions' keys differ from the keys")

for session, path in (word.split("=", 1) for word in sys.argv[2:]):
    judge = sessions.set_index("session").judge[session]
    expected = []
    for line in open(path, encoding="utf-8"):
        if line.startswith("#"):
            continue
        _, side, party, posted, pressed, key = line.split()
        times = [None if t == "-" else round(
            (datetime.datetime.strptime(t, "%Y-%m-%dT%H:%M:%S.%fZ")
             - datetime.datetime(1970, 1, 1)) / datetime.timedelta(microseconds=1))
            for t in (posted, pressed)]
        expected.append((side, party == "judge", key, *times))
    came = [(k.side, k.author == judge, k.key, k.placed_us,
             None if pandas.isna(k.pressed_us) else int(k.pressed_us))
            for k in keys[keys.session == session].itertuples()]
    if sorted(came, key=str) != sorted(expected, key=str):
        print(f"{session}: {len(came)} keys, not the {len(expected)} of its journal")
print(*(len(table[name]) for name in table))
