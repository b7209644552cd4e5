/** The state of a zone before it is protected, in the form of the API. */
import type { InputOf, OperationId, Result } from '#contract';
import type { ZoneFacts } from '../../context/directory.ts';
import { askObject, type ObjectsContext } from '../several-objects.ts';

export const managedPhase = 'http_request_firewall_managed';

export interface ZoneState {
  readonly origin: Result<'edge.get'>['origin'];
  readonly migration: Result<'migration.status'>;
  /** Whether none of its legacy rules prevents a migration. */
  readonly canMigrate: boolean;
  /** The entry point of the managed phase. */
  readonly entryPoint: Result<'rulesets.getEntryPoint'> | undefined;
  /** The zone's version before the rest was read. */
  readonly version: string;
}

export async function readZoneState(
  { call, getZone }: ObjectsContext,
  { id: zone_id }: ZoneFacts,
): Promise<ZoneState> {
  const zone = getZone(zone_id);
  const version = await zone.readVersion();
  /** Undefined if it does not exist. */
  const read = async <Id extends OperationId>(operation: Id, input: InputOf<Id>) => {
    const reply = await askObject(zone, { ...call, operation, input });
    return reply.kind === 'done' ? reply.result : undefined;
  };
  const input = { path: { zone_id }, query: {}, body: undefined };
  const [edge, migration, check, entryPoint] = await Promise.all([
    read('edge.get', input),
    read('migration.status', input),
    read('migration.check', { ...input, query: { phase_two: '1' } }),
    read('rulesets.getEntryPoint', { ...input, path: { zone_id, ruleset_phase: managedPhase } }),
  ]);
  const canMigrate = check!.compatible || migration!.migration_state === 'default';
  return { origin: edge!.origin, migration: migration!, canMigrate, entryPoint, version };
}
