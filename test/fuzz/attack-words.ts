/** The readers of SQL and of markup in values: each word is the same wherever the reading starts. */
import { deepEqual, ok } from 'node:assert/strict';
import { listTags, SqlTokens } from '#detection';
import type { FuzzedReader } from './reader.ts';

const tokensMax = 50;

export const sqlWords: FuzzedReader = {
  name: 'sql-words',
  seeds: [
    "1' UNION/**/SELECT @@version, N'a''b', `c`, 0x1f, $$d$$ FROM [e] WHERE f<=>1.5e-3 -- ",
    "x'; /*!50000drop*/ table users; # more\nselect 1",
  ],
  words: ["'", '"', '`', '--', '#', '/*', '*/', '/*!', '\\', '$$', '@', '[', ']', '0x', '\0', '\xa0', '\n'],
  /** Tokens follow each other, and reading from one of them on gives the same token. */
  check(input) {
    const text = input.toString('latin1');
    const tokens = new SqlTokens(text, 0);
    let end = 0;
    for (let index = 0; index < tokensMax; index++) {
      const token = tokens.get(index);
      if (token === undefined) break;
      ok(token.start >= end && token.end > token.start && token.end <= text.length);
      end = token.end;
      deepEqual(new SqlTokens(text, token.start).get(0), token);
    }
    ok(tokens.end >= end && tokens.end <= text.length);
  },
};

export const htmlWords: FuzzedReader = {
  name: 'html-words',
  seeds: [
    '<a href="java&Tab;script:alert(1)" title=\'x\' y>z</a>',
    '"><svg/onload=alert(1)><img src=x onerror="a',
  ],
  words: ['<', '>', '/', '=', '"', "'", '`', '\0', ' ', '\t', '<a ', '&#x', '&quot;', '<!--', 'on', 'src'],
  /** Tags start in order, and reading from one of them on gives the same tag. */
  check(input) {
    const text = input.toString('latin1');
    let start = -1;
    for (const tag of listTags(text)) {
      ok(tag.start > start && tag.end > tag.start && tag.end <= text.length);
      start = tag.start;
      const [first] = listTags(text.slice(start, start + 1_024));
      ok(first !== undefined);
      if (tag.end - start < 1_024) deepEqual({ ...first, start, end: start + first.end }, tag);
    }
  },
};
