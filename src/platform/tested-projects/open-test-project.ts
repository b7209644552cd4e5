/** Opens a project for tests of any runner: its main module is bundled as for `gatehouse dev`. */
import { buildConfigured, ConfigError, useLightFetch } from '#workers';
import { FunctionTable } from './function-table.ts';
import { readOptions, type TestProjectOptions } from './options.ts';
import { TestProject } from './tested-project.ts';

export async function openTestProject(options: TestProjectOptions): Promise<TestProject> {
  useLightFetch();
  const functions = new FunctionTable();
  const setup = await readOptions(options, { root: process.cwd(), functions });
  if (!setup.hasMain)
    throw new ConfigError(
      'openTestProject() needs the Worker under test: name its configuration (wrangler.configPath) or its main module (main)',
    );
  for (const warning of setup.warnings) console.warn(warning);
  const { modules } = await buildConfigured(setup.workers[0]!.config);
  return await TestProject.open({
    setup,
    code: modules,
    answerOf: (number) => functions.get(number)!,
    log: (message, error) => console.error(message, ...(error === undefined ? [] : [error])),
  });
}
