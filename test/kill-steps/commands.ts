/**
 * Every command that writes, and why the others are not killed: `kill-steps.test.ts` compares this with the command
 * line.
 */
import { apiCommands } from './commands/api.ts';
import { clusterCommands } from './commands/cluster.ts';
import { directoryCommands } from './commands/directory.ts';
import { ownerReset } from './commands/owner.ts';
import { serveCommands } from './commands/serve.ts';
import { workerCommands } from './commands/workers.ts';
import type { KilledCommand } from './attempt.ts';

/** A name is that of a command and its variant. */
export const killedCommands: Readonly<Record<string, KilledCommand>> = {
  ...clusterCommands,
  ...directoryCommands,
  'owner reset': ownerReset,
  ...workerCommands,
  ...serveCommands,
  ...apiCommands,
};

const onlyReads = 'It only reads.';
const oneRequest =
  'It is one request, which a server does whole or not at all: test/crash/api-kill.test.ts kills servers.';
const ofWorker = 'Processes that it starts do the work: src/program/cli/dev/dev.test.ts kills them.';

/** The beginning of the name of a command, and why it is not killed. */
export const otherCommands: Readonly<Record<string, string>> = {
  env: onlyReads,
  explain: onlyReads,
  'migrate status': onlyReads,
  'migrate check': onlyReads,
  'migrate plan': onlyReads,
  'migrate rehearse': 'It migrates a copy in memory; a report that is written again replaces a part of one.',
  'migrate validate': oneRequest,
  'migrate compare': onlyReads,
  'migrate finish': oneRequest,
  dev: ofWorker,
  versions: onlyReads,
  clock: oneRequest,
  'cluster status': onlyReads,
  disk: onlyReads,
  simulate: 'It keeps everything in memory.',
  demo: 'Everything of it is temporary; test/cli/demo.test.ts kills it, and the next one removes what it left.',
  health: onlyReads,
  tls: onlyReads,
  'objects list': onlyReads,
  'objects get': onlyReads,
  'objects alarms': onlyReads,
  'objects alarm': oneRequest,
  'objects put': oneRequest,
  'objects delete': oneRequest,
  'objects move-in': 'The server does it: test/wrangler/kills.ts kills that.',
  'objects history': onlyReads,
  'objects scrub': onlyReads,
  'stores move-in':
    'It only reads the directory; test/wrangler/move-in.test.ts kills it after each request that changes something.',
  expr: onlyReads,
  zones: oneRequest,
  filters: oneRequest,
  rules: oneRequest,
  rulesets: oneRequest,
  waf: oneRequest,
  learning: oneRequest,
  pagerules: oneRequest,
  lists: oneRequest,
  'rate-limits': oneRequest,
  'load-balancers': oneRequest,
  logpush: oneRequest,
  notifications: oneRequest,
  tokens: oneRequest,
  audit: onlyReads,
  events: oneRequest,
  'crs list': onlyReads,
  diff: onlyReads,
  terraform: onlyReads,
  completion: onlyReads,
};
