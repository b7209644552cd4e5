/**
 * A bundle exported before a migration does not contain the managed rules that protect a migrated zone: importing it
 * literally would remove the zone's protection. Such an import keeps what it would weaken, and reports that. A bundle
 * exported after a migration is imported as it is, and the response says what it removes.
 */
import type { MigrationState } from '#firewall';
import { bundleCodes, entryOf, type Message } from '#contract';
import type { ZoneContext } from '../../context/handler.ts';
import { assessDeployments } from '../../migration/enforcement.ts';
import { readMigrationState } from '../../stores/migration.ts';
import { isWeaker, joinReasons, findGreatestStrength } from '../../migration/protection.ts';
import { RulesetStore } from '../../stores/rulesets.ts';
import type { Bundle } from './bundle-part.ts';

const managedPhase = 'http_request_firewall_managed';

/** The states in which the legacy managed rules are removed, or about to be. */
const statesMigrated: ReadonlySet<MigrationState> = new Set(['pending', 'complete']);

/** Whether the bundle's zone was migrated when it was exported. */
export function wasMadeAfterMigration({ migration }: Pick<Bundle, 'migration'>): boolean {
  return migration !== undefined && statesMigrated.has(migration.migration_state);
}

/** One change of an entry point by an import. */
export interface EntryPointChange {
  readonly phase: string;
  readonly isBundleMigrated: boolean;
  make(context: ZoneContext): void;
}

/** Makes the change. Returns false if the zone keeps its current rules. */
export function makeUnlessWeaker(context: ZoneContext, change: EntryPointChange): boolean {
  const { phase, isBundleMigrated, make } = change;
  const before = assessManaged(context);
  const isAtStake = phase === managedPhase && statesMigrated.has(readMigrationState(context.sql));
  if (!isAtStake || before.strength === 'nothing') {
    make(context);
    return true;
  }
  const said: Message[] = [];
  const keeping = new Error('the zone keeps its managed rules');
  try {
    context.transaction(() => {
      make({ ...context, addMessage: (message) => void said.push(message) });
      const after = assessManaged(context);
      if (isBundleMigrated) {
        if (after.strength !== 'nothing') return;
        context.addMessage(entryOf(bundleCodes.bundleManagedRemoved, { fill: { reason: after.reasons } }));
      } else if (isWeaker(after.strength, before.strength)) {
        const reason = `in it ${after.reasons}`;
        context.addMessage(entryOf(bundleCodes.bundleManagedKept, { fill: { reason } }));
        throw keeping;
      }
    });
  } catch (error) {
    if (error === keeping) return false;
    throw error;
  }
  for (const message of said) context.addMessage(message);
  return true;
}

function assessManaged(context: ZoneContext) {
  const deployments = assessDeployments(context, new RulesetStore(context.sql).findEntryPoint(managedPhase));
  return { strength: findGreatestStrength(deployments), reasons: joinReasons(deployments) };
}
