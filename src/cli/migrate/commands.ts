import type { Command } from '../command.ts';
import { compareCommand } from './compare.ts';
import { rehearseCommand } from './rehearse.ts';
import { checkCommand, finishCommand, planCommand, statusCommand, validateCommand } from './steps.ts';

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
