import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { owaspRulesetId } from '../../../api/managed/ids.ts';
import { setParanoiaLevel } from '../../../api/managed/overrides.ts';
import { createDeployment, describeDeployment, readDeployment, writeDeployment } from './deployment.ts';

test('createDeployment starts OWASP at the first paranoia level, and other rulesets as they are', () => {
  equal(
    describeDeployment(owaspRulesetId, createDeployment(owaspRulesetId)),
    'All requests, paranoia level 1, no overrides.',
  );
  deepEqual(createDeployment('other').action_parameters, { id: 'other' });
});

test('writeDeployment keeps what a form does not show, and sends no override that says nothing', () => {
  const before = { ...createDeployment('other'), description: 'kept', enabled: false };
  const overrides = setParanoiaLevel({ rules: [{ id: 'a' }] }, 4);
  deepEqual(writeDeployment('other', { expression: 'ssl', overrides }, before), {
    ...before,
    expression: 'ssl',
  });
  deepEqual(readDeployment(undefined), { expression: 'true', overrides: {} });
});
