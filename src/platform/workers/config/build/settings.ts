/** The settings of a configuration for building a project. */
import { dirname, resolve } from 'node:path';
import type { Section } from '../section.ts';
import { completeRules, type ModuleRule, type RuleType, ruleTypes } from './module-rules.ts';

/** A command of the project that creates the input of the build. */
export interface BuildCommand {
  readonly command: string;
  /** Its working directory; absolute. */
  readonly directory: string;
  /** Its inputs; absolute. */
  readonly reads: readonly string[];
}

export interface BuildSettings {
  /** Run before everything else. Versions of earlier builds have none. */
  readonly command?: BuildCommand | undefined;
  /** Whether all code is bundled into one module; otherwise the files run unchanged. */
  readonly bundles: boolean;
  /** Whether files that match a rule can be imported by computed names. Versions of earlier builds lack it. */
  readonly findsModules?: boolean;
  /** In the order of precedence. */
  readonly rules: readonly ModuleRule[];
  readonly alias: Readonly<Record<string, string>>;
  readonly define: Readonly<Record<string, string>>;
  readonly minifies: boolean;
  readonly keepsNames: boolean;
  readonly preservesFileNames: boolean;
  /** Absolute; undefined for the one that the compiler finds. */
  readonly tsconfig: string | undefined;
  readonly jsxFactory: string | undefined;
  readonly jsxFragment: string | undefined;
  /** Where such files, and those of an unbundled project, are searched; absolute. */
  readonly baseDirectory: string;
}

export function readBuildSettings(
  config: Section,
  { directory, main }: { readonly directory: string; readonly main: string },
): BuildSettings {
  const baseDirectory = config.string('base_dir');
  const tsconfig = config.string('tsconfig');
  return {
    command: readCommand(config, directory),
    bundles: config.boolean('no_bundle') !== true,
    findsModules: config.boolean('find_additional_modules') ?? false,
    rules: completeRules(config.sections('rules').map(readRule)),
    alias: config.stringTable('alias'),
    define: config.stringTable('define'),
    minifies: config.boolean('minify') ?? false,
    keepsNames: config.boolean('keep_names') ?? true,
    preservesFileNames: config.boolean('preserve_file_names') ?? false,
    tsconfig: tsconfig === undefined ? undefined : resolve(directory, tsconfig),
    jsxFactory: config.string('jsx_factory'),
    jsxFragment: config.string('jsx_fragment'),
    baseDirectory: baseDirectory === undefined ? dirname(main) : resolve(directory, baseDirectory),
  };
}

function readCommand(config: Section, directory: string): BuildCommand | undefined {
  const build = config.section('build');
  const command = build?.value('command');
  // Wrangler writes an empty one to generated configurations.
  if (build === undefined || command === undefined || command === '') return undefined;
  const watched = Array.isArray(build.value('watch_dir'))
    ? build.strings('watch_dir')
    : build.string('watch_dir');
  return {
    command: build.requiredString('command'),
    directory: resolve(directory, build.string('cwd') ?? '.'),
    reads: [watched ?? 'src'].flat().map((each) => resolve(directory, each)),
  };
}

/** The settings for a module without a configuration. */
export function defaultBuildSettings(main: string): BuildSettings {
  return {
    bundles: true,
    rules: completeRules([]),
    alias: {},
    define: {},
    minifies: false,
    keepsNames: true,
    preservesFileNames: false,
    tsconfig: undefined,
    jsxFactory: undefined,
    jsxFragment: undefined,
    baseDirectory: dirname(main),
  };
}

function readRule(rule: Section): ModuleRule {
  const type = rule.requiredString('type');
  if (!ruleTypes.includes(type as RuleType)) {
    throw rule.error(`the type of a rule must be one of ${ruleTypes.join(', ')}: ${JSON.stringify(type)}`);
  }
  const globs = rule.strings('globs');
  if (globs.length === 0) throw rule.error('a rule must have globs, such as ["**/*.md"]');
  return { type: type as RuleType, globs, fallthrough: rule.boolean('fallthrough') ?? false };
}
