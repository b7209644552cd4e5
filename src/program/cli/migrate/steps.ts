/** `gatehouse migrate status|check|plan|validate|finish`: the steps of a migration, each one call of the API. */
import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { ErrorEntry } from '#client';
import type { MigrationConfig } from '#rehearsal';
import { connectionHelp, connectionOptions } from '../api/connection.ts';
import { writeTable } from '../api/table.ts';
import { Progress } from '../api/progress.ts';
import { openScreen } from '../resources/tables.ts';
import { escapeUnprintable } from '../terminal/text.ts';
import { type Arguments, type Command, CommandError, exitCodes, UsageError } from '../command.ts';
import { MigratingZone } from './migrating-zone.ts';

const json = { help: 'print JSON' } as const;
const configOption = {
  value: 'FILE',
  help: 'the configuration to send: output of plan --json, edited or not',
} as const;

/** The user answered no to a question. */
const exitCodeNo = 3;

/** How often `finish` checks whether the zone has turned off its legacy rules, and for how long. */
const pollMs = 200;
const pollsMax = 300;

function print(args: Arguments, document: object, text: string): void {
  process.stdout.write(args.switches.has('json') ? `${JSON.stringify(document, undefined, 2)}\n` : text);
}

const { style } = openScreen();

function writeMessages(messages: readonly ErrorEntry[]): string {
  return messages.map(({ code, message }) => `  ${escapeUnprintable(message)} (${code})\n`).join('');
}

export const statusCommand: Command = {
  name: 'migrate status',
  parameters: '<zone>',
  summary: 'Show how far the migration of a zone is, and which managed rules are in force.',
  details: `Exit codes: 0 success, 1 failure, 2 wrong command line.\n\n${connectionHelp}`,
  options: { ...connectionOptions, json },
  async run(args) {
    using migrating = await MigratingZone.open(args, 'migrate status');
    const status = await migrating.readStatus();
    const { migration_state, old_waf_status, new_waf_status, watched } = status;
    const row = [
      migrating.zone.name,
      migration_state,
      old_waf_status,
      new_waf_status,
      watched ? 'yes' : 'no',
    ];
    print(args, status, writeTable(['zone', 'state', 'legacy rules', 'new rules', 'only logging'], [row]));
  },
};

export const checkCommand: Command = {
  name: 'migrate check',
  parameters: '<zone>',
  summary: 'Check whether a zone can migrate, and what prevents it.',
  details: `Exit codes: 0 it can, 3 it cannot, 1 failure, 2 wrong command line.\n\n${connectionHelp}`,
  options: { ...connectionOptions, json },
  async run(args) {
    using migrating = await MigratingZone.open(args, 'migrate check');
    const check = await migrating.check();
    const { name } = migrating.zone;
    const text = check.compatible
      ? `${style('green', `${name} can migrate.`)}\n`
      : `${style('red', `${name} cannot migrate:`)}\n`;
    print(args, check, text + writeMessages(check.messages));
    return check.compatible ? exitCodes.success : exitCodeNo;
  },
};

export const planCommand: Command = {
  name: 'migrate plan',
  parameters: '<zone>',
  summary: 'Show what the legacy rules of a zone become, and what is lost.',
  details: `--json prints {"config": …, "losses": …}, which validate, finish and rehearse read with --config.

Exit codes: 0 success, 1 failure, 2 wrong command line.\n\n${connectionHelp}`,
  options: { ...connectionOptions, json },
  async run(args) {
    using migrating = await MigratingZone.open(args, 'migrate plan');
    const plan = await migrating.plan();
    const lost =
      plan.losses.length === 0
        ? `${style('green', 'Nothing is lost.')}\n`
        : `${style('yellow', 'What is lost:')}\n${writeMessages(plan.losses)}`;
    print(args, plan, `${writeRules(plan.config)}\n${lost}`);
  },
};

function writeRules({ rules }: MigrationConfig): string {
  const rows = rules.map(
    ({ action, enabled = true, description = '', expression, action_parameters = {} }, index) => {
      const { id, overrides } = action_parameters;
      const what = id === undefined ? description : `${id}, ${overrides?.rules?.length ?? 0} overrides`;
      const shown = expression.length > 60 ? `${expression.slice(0, 59)}…` : expression;
      return [index + 1, action, enabled ? 'yes' : 'no', what, shown];
    },
  );
  return writeTable(['#', 'action', 'enabled', 'what', 'for requests'], rows);
}

export const validateCommand: Command = {
  name: 'migrate validate',
  parameters: '<zone>',
  summary: 'Put the new rules of an Enterprise zone in force alongside the legacy ones.',
  details: `The zone stays in validation mode until gatehouse migrate finish. gatehouse migrate compare shows on
which requests the two generations differ.

Exit codes: 0 success, 1 failure, 2 wrong command line.\n\n${connectionHelp}`,
  options: {
    ...connectionOptions,
    config: configOption,
    watch: { help: 'the new rules only log what they would do' },
    json,
  },
  async run(args) {
    using migrating = await MigratingZone.open(args, 'migrate validate');
    const config = await migrating.readConfig(args.values['config']);
    const watch = args.switches.has('watch');
    const messages = await migrating.deploy('validation', config, watch);
    const status = await migrating.readStatus();
    const { name } = migrating.zone;
    const isIdle = status.new_waf_status === 'disabled';
    const what = isIdle
      ? 'no new rule is in force, so there is nothing to compare'
      : watch
        ? 'the new rules only log'
        : 'both generations act';
    const text = `${style(isIdle ? 'yellow' : 'green', `${name} is in validation mode: ${what}.`)}\n`;
    print(args, { ...status, messages }, text + writeMessages(messages));
  },
};

export const finishCommand: Command = {
  name: 'migrate finish',
  parameters: '<zone>',
  summary: 'Deploy the new rules and turn the legacy ones off. This cannot be undone.',
  details: `Asks for the name of the zone, unless --yes gives it. Waits until the migration is complete.

Exit codes: 0 migrated, 3 the name was not confirmed, 1 failure, 2 wrong command line.\n\n${connectionHelp}`,
  options: {
    ...connectionOptions,
    config: configOption,
    yes: { value: 'ZONE', help: 'the name of the zone, to confirm without a prompt' },
    json,
  },
  async run(args) {
    using migrating = await MigratingZone.open(args, 'migrate finish');
    const { name } = migrating.zone;
    const config = await migrating.readConfig(args.values['config']);
    if (!(await isConfirmed(args, name))) {
      process.stderr.write(`gatehouse: nothing was changed: the name is ${name}\n`);
      return exitCodeNo;
    }
    const messages = await migrating.deploy('pending', config, false);
    const status = await waitUntilComplete(migrating);
    print(
      args,
      { ...status, messages },
      `${style('green', `${name} has migrated.`)}\n${writeMessages(messages)}`,
    );
  },
};

async function isConfirmed(args: Arguments, name: string): Promise<boolean> {
  const { yes } = args.values;
  if (yes !== undefined) return yes === name;
  if (!process.stdin.isTTY)
    throw new UsageError(`gatehouse migrate finish cannot prompt here: confirm with --yes ${name}`);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const loss = styleText('yellow', `The legacy rules of ${name} will be deleted permanently.`, {
    stream: process.stderr,
  });
  const warning = `${loss} gatehouse migrate rehearse shows what changes.\n`;
  const typed = await asking.question(`${warning}Type the name of the zone to continue: `);
  asking.close();
  return typed.trim() === name;
}

async function waitUntilComplete(migrating: MigratingZone): Promise<object> {
  using progress = new Progress();
  for (let poll = 0; poll < pollsMax; poll++) {
    progress.wait('turning the legacy rules off');
    const status = await migrating.readStatus();
    if (status.migration_state === 'complete') return status;
    await wait(pollMs);
  }
  throw new CommandError(
    `the new rules of ${migrating.zone.name} are in force, but its legacy rules are still on: gatehouse migrate status shows when they are off`,
  );
}
