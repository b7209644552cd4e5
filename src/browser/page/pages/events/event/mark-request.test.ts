import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { type FoundText, markAddress } from './mark-request.ts';

const marked = (address: string, ...found: readonly (string | FoundText)[]): string =>
  markAddress(
    address,
    found.map((each) => (typeof each === 'string' ? { text: each } : each)),
  )
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('');

test('markAddress marks what was found where it was sent, however it was encoded', () => {
  equal(marked('/a?q=union+select', 'union select'), '/a?q=[union+select]');
  equal(marked('/a?q=%75nion%20select&x=1', 'union select'), '/a?q=[%75nion%20select]&x=1');
  equal(marked('/a?q=%2575nion', 'union'), '/a?q=[%2575nion]');
  equal(marked('/a?q=%C3%BCber', 'über'), '/a?q=[%C3%BCber]');
  equal(marked('/straße/../etc', '../etc'), '/straße/[../etc]');
});

test('markAddress marks several, each once, and nothing that is elsewhere or not there', () => {
  equal(marked('/x?a=1&b=2', 'b=2', 'a=1', '=1'), '/x?[a=1]&[b=2]');
  equal(marked('/x?a=1', { text: 'a', where: { kind: 'cookie' } }), '/x?a=1');
  equal(marked('/x?a=1', 'missing', ''), '/x?a=1');
  equal(marked('/x?a=%zz%', 'zz'), '/x?a=%[zz]%');
  equal(marked(''), '');
});
