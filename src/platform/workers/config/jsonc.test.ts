import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJsonc } from './jsonc.ts';

test('parseJsonc reads JSON with comments and trailing commas', () => {
  const text = `// head
  {
    "a": [1, -2.5e3, true, false, null,], /* inline */
    "url": "http://x//y", // not a comment inside
    "nested": { "deep": { }, },
    "escape": "tab\\t \\u00fc",
  }
  // tail`;
  assert.deepEqual(parseJsonc(text, 'w.jsonc'), {
    a: [1, -2500, true, false, null],
    url: 'http://x//y',
    nested: { deep: {} },
    escape: 'tab\t ü',
  });
});

test('parseJsonc keeps a key named __proto__ a plain key', () => {
  const value = parseJsonc('{"__proto__": {"a": 1}}', 'w') as object;
  assert.deepEqual(Object.keys(value), ['__proto__']);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
});

test('parseJsonc names line and column of what is wrong', () => {
  const cases: [string, RegExp][] = [
    ['', /^w:1:1: a value was expected: the file ends$/],
    ['{\n  "a": 1\n  "b": 2\n}', /^w:3:3: , or } was expected: "\\""$/],
    ['{\n  "a" 1}', /^w:2:7: : was expected after the key "a": "1"$/],
    ['{ a: 1 }', /^w:1:3: a key in double quotes or } was expected: "a"$/],
    ['{"a": 1, "a": 2}', /^w:1:10: the key "a" appears twice in one object$/],
    ['[1, 2', /^w:1:6: , or \] was expected: the file ends$/],
    ['{', /^w:1:2: a key in double quotes or } was expected: the file ends$/],
    ['{"a": 1', /^w:1:8: , or } was expected: the file ends$/],
    ['[1.]', /^w:1:2: this number lacks its last digits$/],
    ['["open]\n', /^w:1:2: this string does not end on its line$/],
    ['["\\x"]', /^w:1:2: this string holds an escape/],
    ['[nul]', /^w:1:2: a value was expected: "n"$/],
    ['[,]', /^w:1:2: a value was expected: ","$/],
    ['{} {}', /^w:1:4: nothing was expected after the value: "{"$/],
    ['{} /* never', /^w:1:4: this comment does not end$/],
    ['['.repeat(1000), /nested more than 64 levels deep$/],
  ];
  for (const [text, message] of cases) {
    assert.throws(() => parseJsonc(text, 'w'), { name: 'ConfigError', message }, text);
  }
});
