/** The object of a zone: everything its rules are made of. Its name is the zone's id. */
import { assert } from '#base';
import type { DurableObjectState } from '#objects';
import { ControlObject } from '../control-object.ts';
import type { ControlEnvironment } from '../directory.ts';
import type { Context, Tasks, ZoneContext } from '../handler.ts';
import { filterHandlers } from '../filters/filter-handlers.ts';
import { filterTables } from '../filters/filter-store.ts';

export const zoneHandlers = {
  ...filterHandlers,
};

const tables = [...filterTables];

export class Zone extends ControlObject<ZoneContext> {
  protected readonly handlers = zoneHandlers;
  protected readonly tasks: Tasks<ZoneContext> = {};

  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env, tables);
  }

  protected contextFor(context: Context): ZoneContext {
    const zone = context.directory.zones.get(this.ctx.id.name ?? '');
    assert(zone !== undefined, `a zone in no directory was called: ${this.ctx.id.name}`);
    return { ...context, zone };
  }
}
