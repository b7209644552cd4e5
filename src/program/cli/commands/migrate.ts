import type { Command } from '../command.ts';
import { compareCommand } from '../migrate/compare.ts';
import { rehearseCommand } from '../migrate/rehearse.ts';
import {
  checkCommand,
  finishCommand,
  planCommand,
  statusCommand,
  validateCommand,
} from '../migrate/steps.ts';

/** In the order of a migration. */
export const migrateCommands: readonly Command[] = [
  statusCommand,
  checkCommand,
  planCommand,
  rehearseCommand,
  validateCommand,
  compareCommand,
  finishCommand,
];
