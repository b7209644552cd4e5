/**
 * Every command, in the order of the help, by its first word. Its file is loaded when that word is typed: all of them
 * together are most of the program, and take longer to load than most commands take to run.
 */
import type { Command } from './command.ts';
import { servingCommands } from './serving-commands.ts';

interface CommandFile {
  /**
   * The first words of the commands in the file. A word may occur in several: `waf test` is not in the file of `waf
   * list`.
   */
  readonly words: readonly string[];
  load(): Promise<readonly Command[]>;
}

const resourceWords = [
  'zones',
  'filters',
  'rules',
  'rulesets',
  'waf',
  'learning',
  'pagerules',
  'lists',
  'rate-limits',
  'load-balancers',
  'tokens',
  'audit',
  'events',
  'logpush',
  'notifications',
];

export const commandFiles: readonly CommandFile[] = [
  { words: ['serve'], load: async () => [await servingCommands.serve()] },
  { words: ['demo'], load: async () => [(await import('./commands/demo.ts')).demoCommand] },
  { words: ['edge'], load: async () => [await servingCommands.edge()] },
  { words: ['env'], load: async () => [(await import('./commands/env.ts')).envCommand] },
  { words: ['explain'], load: async () => [(await import('./commands/explain.ts')).explainCommand] },
  { words: ['owner'], load: async () => [(await import('./commands/owner.ts')).ownerCommand] },
  { words: ['migrate'], load: async () => (await import('./commands/migrate.ts')).migrateCommands },
  { words: ['dev'], load: async () => [(await import('./commands/dev.ts')).devCommand] },
  { words: ['run'], load: async () => [await servingCommands.run()] },
  {
    words: ['deploy', 'rollback', 'versions'],
    load: async () => (await import('./commands/versions.ts')).versionCommands,
  },
  { words: ['backup', 'restore'], load: async () => (await import('./operator/backup.ts')).backupCommands },
  { words: ['clock'], load: async () => (await import('./commands/clock.ts')).clockCommands },
  { words: ['cluster'], load: async () => (await import('./commands/cluster.ts')).clusterCommands },
  {
    words: ['simulate'],
    load: async () => [(await import('./commands/simulate.ts')).simulateCommand],
  },
  { words: ['disk'], load: async () => [(await import('./commands/disk.ts')).diskCommand] },
  { words: ['objects'], load: async () => (await import('./commands/objects.ts')).objectsCommands },
  { words: ['stores'], load: async () => [(await import('./commands/stores.ts')).moveInCommand] },
  { words: ['expr'], load: async () => (await import('./commands/expr.ts')).exprCommands },
  { words: ['protect'], load: async () => [(await import('./commands/protect.ts')).protectCommand] },
  { words: ['health'], load: async () => [(await import('./commands/health.ts')).healthCommand] },
  { words: ['tls'], load: async () => [(await import('./commands/tls.ts')).tlsCommand] },
  { words: resourceWords, load: async () => (await import('./commands/resources.ts')).resourceCommands },
  { words: ['learning'], load: async () => [(await import('./commands/learning.ts')).learningCommand] },
  { words: ['waf'], load: async () => [(await import('./commands/waf.ts')).wafTestCommand] },
  { words: ['crs'], load: async () => (await import('./commands/crs.ts')).crsCommands },
  { words: ['events'], load: async () => (await import('./commands/events.ts')).eventsCommands },
  { words: ['diff'], load: async () => [(await import('./commands/diff.ts')).diffCommand] },
  { words: ['terraform'], load: async () => (await import('./commands/terraform.ts')).terraformCommands },
  {
    words: ['completion'],
    load: async () => [
      (await import('./commands/completion.ts')).createCompletionCommand(() => loadCommands()),
    ],
  },
];

/** The commands with a first word, and perhaps others; without a word, all commands. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const files = commandFiles.filter(({ words }) => word === undefined || words.includes(word));
  return (await Promise.all(files.map((file) => file.load()))).flat();
}
