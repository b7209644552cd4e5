/**
 * A bundle that was made before a migration knows nothing of the managed rules that a migrated zone lives by: to take it
 * literally would leave the zone without any. What such a bundle would weaken stays as it is, and is told; a bundle that was
 * made after a migration is taken as it is, and what it takes away is told.
 */
import type { MigrationState } from '#firewall';
import { bundleCodes, entryOf, type Message } from '#api';
import type { ZoneContext } from '../../context/handler.ts';
import { deploymentsOf } from '../../migration/enforcement.ts';
import { migrationState } from '../../stores/migration-store.ts';
import { isWeaker, reasonsOf, strengthOf } from '../../migration/protection.ts';
import { RulesetStore } from '../../stores/ruleset-store.ts';
import type { Bundle } from './bundle-part.ts';

const managedPhase = 'http_request_firewall_managed';

/** States in which the previous managed rules are gone, or about to go. */
const statesMigrated: ReadonlySet<MigrationState> = new Set(['pending', 'complete']);

/** What a bundle says of the zone that it was made of. */
export function wasMadeAfterMigration({ migration }: Pick<Bundle, 'migration'>): boolean {
  return migration !== undefined && statesMigrated.has(migration.migration_state);
}

/** One change of an entry point that an import makes. */
export interface EntryPointChange {
  readonly phase: string;
  readonly isBundleMigrated: boolean;
  make(context: ZoneContext): void;
}

/** Makes the change; answers false if the zone keeps what it has. */
export function makeUnlessWeaker(context: ZoneContext, change: EntryPointChange): boolean {
  const { phase, isBundleMigrated, make } = change;
  const before = assessManaged(context);
  const isAtStake = phase === managedPhase && statesMigrated.has(migrationState(context.sql));
  if (!isAtStake || before.strength === 'nothing') {
    make(context);
    return true;
  }
  const said: Message[] = [];
  const keeping = new Error('the zone keeps its managed rules');
  try {
    context.transaction(() => {
      make({ ...context, say: (message) => void said.push(message) });
      const after = assessManaged(context);
      if (isBundleMigrated) {
        if (after.strength !== 'nothing') return;
        context.say(entryOf(bundleCodes.bundleManagedRemoved, { fill: { reason: after.reasons } }));
      } else if (isWeaker(after.strength, before.strength)) {
        const reason = `in it ${after.reasons}`;
        context.say(entryOf(bundleCodes.bundleManagedKept, { fill: { reason } }));
        throw keeping;
      }
    });
  } catch (error) {
    if (error === keeping) return false;
    throw error;
  }
  for (const message of said) context.say(message);
  return true;
}

function assessManaged(context: ZoneContext) {
  const deployments = deploymentsOf(context, new RulesetStore(context.sql).entryPoint(managedPhase));
  return { strength: strengthOf(deployments), reasons: reasonsOf(deployments) };
}
