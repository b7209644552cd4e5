import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from './did-you-mean.ts';

test('didYouMean offers the nearest name, and nothing when none is near', () => {
  const names = ['dev', 'serve', 'objects', 'port', 'persist-to'];
  assert.equal(didYouMean('dve', names), ': did you mean dev?');
  assert.equal(didYouMean('prot', names), ': did you mean port?');
  assert.equal(didYouMean('persits-too', names), ': did you mean persist-to?');
  assert.equal(didYouMean('SERVE', names), ': did you mean serve?');
  assert.equal(didYouMean('xyz', names), '');
  assert.equal(didYouMean('', names), '');
});
