/** The description of a case for a resource, and the steps of every case. */
import type { ProviderName } from './builds.ts';
import type { GatehouseServer, Plan, Zone } from './server.ts';
import type { Workspace } from './workspace.ts';

/** The values that configurations use. */
export interface Facts {
  readonly zone: Zone;
  readonly accountId: string;
  readonly server: GatehouseServer;
  /** The provider is not the release that it stands for. */
  readonly isStandIn: boolean;
}

export interface ResourceCase {
  /** The resource, and its variant. */
  readonly name: string;
  readonly provider: ProviderName;
  /** Of the zone that the case gets. */
  readonly plan: Plan;
  /** The configuration, and the changed one. */
  configurations(facts: Facts): Promise<readonly [string, string]> | readonly [string, string];
  /** Addresses of the imported resources, and the parts of their ids; absent if the provider cannot import. */
  readonly imports?: Imports;
  /** The provider does not read all of the resource when it imports: the plan is empty after one apply. */
  readonly isImportPartial?: true;
}

type Attributes = Readonly<Record<string, unknown>>;
export type Imports = Readonly<Record<string, (attributes: Attributes, facts: Facts) => string>>;

export const steps = ['apply', 'plan empty', 'change', 'plan empty again', 'import', 'destroy'] as const;
export type Step = (typeof steps)[number];

/** `–` where the provider has no such step. */
export type Outcome = 'ok' | '–' | { readonly failed: string };

/** After a failed step, later ones are skipped, except that everything is destroyed. */
export async function runCase(
  { imports, configurations, isImportPartial }: ResourceCase,
  workspace: Workspace,
  facts: Facts,
): Promise<Map<Step, Outcome>> {
  const [first, changed] = await configurations(facts);
  const actions: Readonly<Record<Step, (() => Promise<unknown>) | undefined>> = {
    apply: () => {
      workspace.write('case.tf', first);
      return workspace.apply();
    },
    'plan empty': () => workspace.expectNoChanges(),
    change: () => {
      workspace.write('case.tf', changed);
      return workspace.apply();
    },
    'plan empty again': () => workspace.expectNoChanges(),
    import: imports && (() => importAll(workspace, facts, { imports, isImportPartial })),
    destroy: () => workspace.destroy(),
  };
  const outcomes = new Map<Step, Outcome>();
  let hasFailed = false;
  for (const step of steps) {
    const action = actions[step];
    if (action === undefined) outcomes.set(step, '–');
    else if (!hasFailed || step === 'destroy') {
      const outcome = await outcomeOf(action);
      outcomes.set(step, outcome);
      hasFailed ||= outcome !== 'ok';
    }
  }
  return outcomes;
}

/** Removes the resource from the state and imports it by its id; the plan must then be empty. */
async function importAll(
  workspace: Workspace,
  facts: Facts,
  { imports, isImportPartial }: { readonly imports: Imports; readonly isImportPartial: true | undefined },
): Promise<void> {
  for (const [address, idOf] of Object.entries(imports)) {
    const id = idOf(await workspace.attributesOf(address), facts);
    await workspace.tofu(['state', 'rm', address]);
    await workspace.tofu(['import', '-input=false', address, id]);
  }
  if (isImportPartial === true) await workspace.apply();
  await workspace.expectNoChanges();
}

export async function outcomeOf(action: () => Promise<unknown>): Promise<Outcome> {
  try {
    await action();
    return 'ok';
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
}
