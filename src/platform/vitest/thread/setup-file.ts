/** Runs before the tests of each file: the Worker under test is loaded once their mocks are in place. */
import { beforeAll, beforeEach, expect } from 'vitest';
import { findHooks } from '../registry.ts';

const hooks = findHooks();
beforeAll(async () => await hooks.loadMain());
beforeEach(() => hooks.beginTest(expect.getState().currentTestName ?? ''));
