/** Every action, by the name that a rule writes, in lower case. */
import type { ActionDefinition } from './action.ts';
import { ctl } from './effects/ctl.ts';
import { expirevar } from './effects/expirevar.ts';
import { initcol } from './effects/initcol.ts';
import { setenv } from './effects/setenv.ts';
import { setvar } from './effects/setvar.ts';
import { allow } from './flow/allow.ts';
import { block } from './flow/block.ts';
import { capture } from './flow/capture.ts';
import { chain } from './flow/chain.ts';
import { deny } from './flow/deny.ts';
import { drop } from './flow/drop.ts';
import { multiMatch } from './flow/multi-match.ts';
import { pass } from './flow/pass.ts';
import { redirect } from './flow/redirect.ts';
import { skip } from './flow/skip.ts';
import { skipAfter } from './flow/skip-after.ts';
import { status } from './flow/status.ts';
import { t } from './flow/t.ts';
import { log } from './logging/log.ts';
import { nolog } from './logging/nolog.ts';
import { id } from './metadata/id.ts';
import { logdata } from './metadata/logdata.ts';
import { msg } from './metadata/msg.ts';
import { phase } from './metadata/phase.ts';
import { severity } from './metadata/severity.ts';
import { tag } from './metadata/tag.ts';
import { ver } from './metadata/ver.ts';
import { ignoredActions } from './logging/ignored.ts';

const all: readonly ActionDefinition[] = [
  allow,
  block,
  capture,
  chain,
  ctl,
  deny,
  drop,
  expirevar,
  id,
  initcol,
  log,
  logdata,
  msg,
  multiMatch,
  nolog,
  pass,
  phase,
  redirect,
  setenv,
  setvar,
  severity,
  skip,
  skipAfter,
  status,
  t,
  tag,
  ver,
  ...ignoredActions,
];

export const actions: ReadonlyMap<string, ActionDefinition> = new Map(
  all.map((action) => [action.name, action]),
);
