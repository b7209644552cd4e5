/** The mode of a legacy managed rule for a URL: its own, its group's, and changes by URI overrides. */
import type { RequestView } from '#expressions';
import type { LegacyAction, ConfiguredLegacyWaf, LegacyMode, UriOverride } from '../configuration.ts';
import type { CataloguePackage, CataloguePackageRule } from '../managed-catalogue.ts';
import { compilePattern, type RequestPredicate } from '../request-predicate.ts';

type EffectiveMode = Exclude<LegacyMode, 'default'>;

export interface EffectiveModes {
  of(rule: CataloguePackageRule): EffectiveMode;
  /** The action of an anomaly package for this URL. */
  rewritten(action: LegacyAction): LegacyAction;
}

interface CompiledOverride {
  readonly override: UriOverride;
  readonly isMatch: RequestPredicate;
}

export class LegacyModes {
  readonly #configuration: ConfiguredLegacyWaf;
  readonly #groupDefaults: ReadonlyMap<string, 'on' | 'off'>;
  readonly #overrides: readonly CompiledOverride[];
  readonly #plain: EffectiveModes;

  constructor(packages: readonly CataloguePackage[], configuration: ConfiguredLegacyWaf) {
    this.#configuration = configuration;
    this.#groupDefaults = new Map(
      packages.flatMap(({ groups }) => groups.map((group) => [group.id, group.defaultMode])),
    );
    this.#overrides = configuration.overrides.map((override) => {
      const patterns = override.urls.map(compilePattern);
      return { override, isMatch: (view) => patterns.some((pattern) => pattern(view)) };
    });
    this.#plain = { of: (rule) => this.#ownMode(rule), rewritten: (action) => action };
  }

  /** Rules that are not in force for any URL need not be compiled. */
  isEverInForce(rule: CataloguePackageRule): boolean {
    const own = this.#ownMode(rule);
    if (own !== 'disable' && own !== 'off') return true;
    return this.#overrides.some(
      ({ override: { rules, groups, rewriteAction } }) =>
        Object.hasOwn(rules, rule.id) ||
        Object.hasOwn(groups, rule.groupId) ||
        Object.hasOwn(rewriteAction, own),
    );
  }

  for(view: RequestView): EffectiveModes {
    // Most zones have no overrides.
    const matching = this.#overrides.filter(({ isMatch }) => isMatch(view)).map(({ override }) => override);
    if (matching.length === 0) return this.#plain;
    return {
      of: (rule) => this.#overriddenMode(rule, matching),
      rewritten: (action) => (rewriteMode(action, matching) as LegacyAction | undefined) ?? action,
    };
  }

  #ownMode(rule: CataloguePackageRule): EffectiveMode {
    const { groups, rules } = this.#configuration;
    const group = groups[rule.groupId] ?? this.#groupDefaults.get(rule.groupId) ?? 'on';
    if (group === 'off') return rule.kind === 'deny' ? 'disable' : 'off';
    return resolveMode(rules[rule.id] ?? 'default', rule);
  }

  /** A rule's own entry in an override has precedence over its group's; the first override with an entry applies. */
  #overriddenMode(rule: CataloguePackageRule, overrides: readonly UriOverride[]): EffectiveMode {
    const said = overrides
      .map(({ rules, groups }) => rules[rule.id] ?? groups[rule.groupId])
      .find((mode) => mode !== undefined) as LegacyMode | undefined;
    const mode = said === undefined ? this.#ownMode(rule) : forKind(said, rule);
    return (rewriteMode(mode, overrides) as EffectiveMode | undefined) ?? mode;
  }
}

/** Overrides use the modes of rules that deny, also for other rules. */
function forKind(mode: LegacyMode, rule: CataloguePackageRule): EffectiveMode {
  if (rule.kind === 'deny' || mode === 'on' || mode === 'off') return resolveMode(mode, rule);
  return mode === 'disable' ? 'off' : 'on';
}

function resolveMode(mode: LegacyMode, { defaultMode, kind }: CataloguePackageRule): EffectiveMode {
  if (mode !== 'default') return mode;
  return defaultMode === 'default' ? (kind === 'deny' ? 'block' : 'on') : defaultMode;
}

function rewriteMode(mode: string, overrides: readonly UriOverride[]): string | undefined {
  const to = overrides.find(({ rewriteAction }) => Object.hasOwn(rewriteAction, mode))?.rewriteAction[mode];
  return to === 'default' ? undefined : to;
}
