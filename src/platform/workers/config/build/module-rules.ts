/** Assigns files of a project to types of modules: Wrangler's rules, after those of the configuration. */

export type RuleType = 'ESModule' | 'CommonJS' | 'CompiledWasm' | 'Text' | 'Data';

export const ruleTypes: readonly RuleType[] = ['ESModule', 'CommonJS', 'CompiledWasm', 'Text', 'Data'];

export interface ModuleRule {
  readonly type: RuleType;
  readonly globs: readonly string[];
  readonly fallthrough: boolean;
}

const defaultRules: readonly ModuleRule[] = [
  { type: 'Text', globs: ['**/*.txt', '**/*.html', '**/*.sql'], fallthrough: true },
  { type: 'Data', globs: ['**/*.bin'], fallthrough: true },
  { type: 'CompiledWasm', globs: ['**/*.wasm', '**/*.wasm?module'], fallthrough: true },
];

/** A rule without `fallthrough` hides later rules of its type. */
export function completeRules(own: readonly ModuleRule[]): ModuleRule[] {
  const final = new Set<RuleType>();
  return [...own, ...defaultRules].filter(({ type, fallthrough }) => {
    if (final.has(type)) return false;
    if (!fallthrough) final.add(type);
    return true;
  });
}

/** The rule for a path or the specifier of an import. */
export function findRule(rules: readonly ModuleRule[], path: string): ModuleRule | undefined {
  return rules.find(({ globs }) => globs.some((glob) => globToPattern(glob).test(path)));
}

/** `**` matches any folders, `*` anything within a name; everything else matches itself. */
function globToPattern(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\*\*|\*|[^*]+/g, (part) => {
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : RegExp.escape(part);
  });
  return new RegExp(`^${source}$`);
}
