/**
 * Simulates our own objects: `node test/simulator/own/run.ts SEEDS [NAME …]`. In a separate process, because the test
 * runner tracks every promise of its process, which takes longer than the simulation.
 */
import { simulate, SimulationFailure } from '#simulator';
import { bindingStories } from './binding-stories.ts';
import { controlStories } from './control-stories.ts';
import type { OwnStory } from './own-stories.ts';

const stories: Readonly<Record<string, OwnStory>> = { ...bindingStories, ...controlStories };
const [seeds = '200', ...only] = process.argv.slice(2);
let firstSeed = 1;

for (const [name, { classes, env = {}, story }] of Object.entries(stories)) {
  if (only.length > 0 && !only.includes(name)) continue;
  try {
    const cpu = process.cpuUsage();
    const report = await simulate(
      { classes, env: env as Record<string, unknown>, seeds: Number(seeds), firstSeed },
      story,
    );
    // Each uses different seeds from those before it.
    firstSeed += Number(seeds);
    const { user, system } = process.cpuUsage(cpu);
    const { crash = 0 } = report.faults;
    const told = report.told.join('; ') || 'nothing';
    console.log(`${name}: ${report.lives} lives, ${report.commits} commits, ${crash} crashes, told ${told}`);
    console.error(`${name}: ${((user + system) / 1_000_000).toFixed(1)} s of CPU time`);
  } catch (error) {
    if (!(error instanceof SimulationFailure)) throw error;
    console.log(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
