import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { checkLinear } from '../../../../tools/count-work.ts';
import { looksLikeGraphql, visitGraphql } from './graphql.ts';

function list(document: string): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  visitGraphql(document, ({ name, value }) => found.push([name, value]));
  return found;
}

test('visitGraphql names string arguments by fields, keys and elements', () => {
  const document = `# a comment with "quotes"
    mutation Add($text: String = "none", $n: Int = 3) @live(if: "yes") {
      first: addComment(input: {text: "a \\"b\\"", tags: ["x", $text, Y, "z"]}, n: 1, kind: BLUE) @include(if: true) {
        author(name: "Sam") { id }
        ... on Person { friends(of: "q") { id } }
        ...Parts
      }
      other(body: """block "with" quotes""") { id }
    }
    fragment Parts on Comment { note(by: "w") }`;
  deepEqual(list(document), [
    ['$text', 'none'],
    ['if', 'yes'],
    ['addComment.input.text', 'a "b"'],
    ['addComment.input.tags[0]', 'x'],
    ['addComment.input.tags[3]', 'z'],
    ['addComment.author.name', 'Sam'],
    ['addComment.friends.of', 'q'],
    ['other.body', 'block "with" quotes'],
    ['note.by', 'w'],
  ]);
  deepEqual(list('{user(id:"1\\u0027 or 1"){name}}'), [['user.id', "1' or 1"]]);
});

test('visitGraphql gives where a string stands, and what comes before a mistake', () => {
  const document = '{ a(b: "one") c(d: """two""") e(f: "three';
  const pieces: string[] = [];
  visitGraphql(document, ({ start, end }) => pieces.push(document.slice(start, end)));
  deepEqual(pieces, ['one', 'two']);
});

test('looksLikeGraphql tells documents from JSON and prose', () => {
  for (const text of ['{ user { id } }', 'query Q($a: Int) { b(c: $a) }', '\n mutation { a }', '{...F}']) {
    equal(looksLikeGraphql(text), true, text);
  }
  for (const text of [
    '{"a": 1}',
    '{ "a": { "b": 1 } }',
    'query the database',
    '',
    '{{name}}',
    '{',
    '[{a}]',
  ]) {
    equal(looksLikeGraphql(text), false, text);
  }
});

test('visitGraphql is linear in the length of its text', () => {
  for (const unit of ['#', '"""', '\\"""', '{a(b:"', '[', ' ,', 'a:', '"\\', '...', '{a(b:"c")']) {
    const prepare = (length: number): (() => void) => {
      const document = `{a${unit.repeat(length / unit.length)}`;
      return () => visitGraphql(document, () => {});
    };
    checkLinear(`visitGraphql ${unit}`, prepare, [8_000, 64_000]);
  }
});
