import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { formatRequest } from '../../../src/rules/managed/testing.ts';
import { stoppingRules } from '../stopping.ts';
import { disguises } from './disguises.ts';

const stop = stoppingRules('efb7b8c949ac4650a09736fc376e9aee');

for (const [name, requests] of Object.entries(disguises)) {
  test(`managed ruleset stops well-known disguises: ${name}`, () => {
    const missed = requests.filter((request) => stop(request).length === 0);
    deepEqual(missed.map(formatRequest), []);
  });
}
