import { test } from 'node:test';
import './quick-start.ts';
import { recoverOnHosts } from './recovery.ts';

test('recovery on two hosts restores the state of any bookmark, also of before a kill or a move, and undoes it', () =>
  recoverOnHosts({ seed: 5, hosts: 2, steps: 30, restores: 10, reopens: 1, kills: 1 }));
