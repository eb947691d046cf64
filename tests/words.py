#!/usr/bin/env python3
"""The ways in which comments name things: by nouns, or by clauses ("what it is given") and pronouns.

Usage: words.py [--list WORD | --questions | --sample SEED] [FOLDER...]

Counts the comments of the C sources under the folders, by room: in 1,000 words "what" and
"it", "that" or "this", and in 100 comments those that begin with a question word. Prints a line for
each room and one for all: ROOM COMMENTS WORDS WHAT QUESTIONS PRONOUNS. --list prints the comments that
contain a word, --questions those that begin with a question word, as FILE:LINE: TEXT; --sample prints 60
sentences, drawn by the seed, for a reader who has never seen the code.
"""
import collections
import pathlib
import random
import re
import sys

TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
QUESTION = re.compile(r'(what|who|whom|whose|which|when|where|why|whether|how)\b', re.IGNORECASE)
SENTENCE = re.compile(r'(?<=[.!?])\s+(?=["A-Z])')
SAMPLE = 60
PRONOUNS = {'it', 'that', 'this'}


def comments(text):
    """Yields the line and the text of each comment; // lines in a row with no code between are one."""
    last_end, block, line = -1, None, 0
    for token in TOKEN.finditer(text):
        found = token.group()
        if found[0] in '"\'':
            continue
        if found.startswith('/*'):
            body = re.sub(r'\n[ \t]*\*(?!/)', '\n', found[2:-2])
            joined = False
        else:
            body = found[2:]
            joined = block is not None and not text[last_end:token.start()].strip()
        if joined:
            block += ' ' + body
        else:
            if block is not None:
                yield line, block
                block = None
            if found.startswith('/*'):
                yield text.count('\n', 0, token.start()) + 1, body
                continue
            line, block = text.count('\n', 0, token.start()) + 1, body
        last_end = token.end()
    if block is not None:
        yield line, block


def room(path):
    """host/base for host/base/arena.h."""
    return '/'.join(path.parts[:2])


def main():
    arguments = sys.argv[1:]
    listed = questions = seed = None
    if arguments[:1] == ['--sample']:
        seed, arguments = arguments[1], arguments[2:]
    elif arguments[:1] == ['--list']:
        listed, arguments = arguments[1], arguments[2:]
    elif arguments[:1] == ['--questions']:
        questions, arguments = True, arguments[1:]
    counts = collections.defaultdict(collections.Counter)
    sentences = []
    for folder in arguments or ['host', 'firmware']:
        for path in sorted(pathlib.Path(folder).rglob('*.[ch]')):
            for line, body in comments(path.read_text()):
                text = ' '.join(body.split())
                words = [word.lower() for word in WORD.findall(text)]
                begins = bool(QUESTION.match(text))
                if not text.startswith('clang-format'):
                    sentences += [f'{path}:{line}: {sentence}' for sentence in SENTENCE.split(text)]
                if questions and begins or listed in words:
                    print(f'{path}:{line}: {text}')
                for name in (room(path), 'all'):
                    counts[name].update(comments=1, words=len(words), what=words.count('what'), questions=begins,
                                        pronouns=sum(word in PRONOUNS for word in words))
    if seed:
        print('\n'.join(random.Random(seed).sample(sentences, SAMPLE)))
    if listed or questions or seed:
        return
    for name in sorted(counts, key=lambda name: (name == 'all', name)):
        count = counts[name]
        print(name, count['comments'], count['words'], f"{1000 * count['what'] / count['words']:.1f}",
              f"{100 * count['questions'] / count['comments']:.1f}",
              f"{1000 * count['pronouns'] / count['words']:.1f}")


main()
