/** The state of a zone before it is protected, in the form of the API. */
import type { OperationId, Result } from '#contract';
import type { ZoneFacts } from '../../context/directory.ts';
import type { ObjectsContext } from '../several-objects.ts';

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

export async function readZoneState(context: ObjectsContext, { id }: ZoneFacts): Promise<ZoneState> {
  const version = await context.getZone(id).readVersion();
  const [edge, migration, check, entryPoint] = await Promise.all([
    read(context, 'edge.get', { zone_id: id }),
    read(context, 'migration.status', { zone_id: id }),
    read(context, 'migration.check', { zone_id: id }, { phase_two: '1' }),
    read(context, 'rulesets.getEntryPoint', { zone_id: id, ruleset_phase: managedPhase }),
  ]);
  const canMigrate = check!.compatible || migration!.migration_state === 'default';
  return { origin: edge!.origin, migration: migration!, canMigrate, entryPoint, version };
}

/** Undefined if it does not exist. */
async function read<Id extends OperationId>(
  { call, getZone }: ObjectsContext,
  operation: Id,
  path: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>> = {},
): Promise<Result<Id> | undefined> {
  const input = { path, query, body: undefined };
  const { status, body } = await getZone(path['zone_id']!).answer({ ...call, operation, input });
  return status === 404 ? undefined : JSON.parse(body!).result;
}
