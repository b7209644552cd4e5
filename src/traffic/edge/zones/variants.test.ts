import { equal, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { Variants } from './variants.ts';

test('Variants finds one object for each choice of each thing', () => {
  const variants = new Variants<{ readonly port: number }>();
  const [one, other] = [{ port: 1 }, { port: 1 }];
  let created = 0;
  const find = (thing: { readonly port: number }, port: number) =>
    variants.find(thing, { port }, () => {
      created++;
      return { ...thing, port };
    });
  equal(find(one, 2), find(one, 2));
  equal(find(one, 2).port, 2);
  notEqual(find(one, 3), find(one, 2));
  notEqual(find(other, 2), find(one, 2));
  equal(created, 3);
});
