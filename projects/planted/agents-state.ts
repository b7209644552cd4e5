/** The state of an agent. */
import { Agent } from 'agents';
import { defineSimulation } from 'gatehouse/testing';

class Poll extends Agent<object, { votes: string[] }> {
  override initialState = { votes: [] };

  async vote(who: string): Promise<void> {
    await this.__unsafe_ensureInitialized();
    this.setState({ votes: [...this.state.votes, who] });
  }

  async votes(): Promise<string[]> {
    await this.__unsafe_ensureInitialized();
    return this.state.votes;
  }
}

export const sample = defineSimulation({ classes: { Poll } }, async (world) => {
  const acknowledged: string[] = [];
  await world.run({
    vote: async (step) => {
      await step.object('Poll', 'a').vote(`voter ${step.number}`);
      acknowledged.push(`voter ${step.number}`);
    },
  });
  await world.settle();
  const votes = (await world.object('Poll', 'a').votes()) as string[];
  for (const who of acknowledged)
    if (!votes.includes(who)) throw new Error('a vote was accepted and is gone');
});
