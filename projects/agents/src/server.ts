import { Agent, callable, routeAgentRequest } from 'agents';

interface TallyState {
  count: number;
  last: string;
}

export class Tally extends Agent<unknown, TallyState> {
  initialState: TallyState = { count: 0, last: 'nobody' };

  onStart() {
    this.sql`CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)`;
  }

  @callable()
  add(n: number, who: string) {
    this.setState({ count: this.state.count + n, last: who });
    return this.state.count;
  }

  @callable()
  note(text: string) {
    this.sql`INSERT INTO notes (text) VALUES (${text})`;
    return this.sql<{ text: string }>`SELECT text FROM notes ORDER BY id`.map((row) => row.text);
  }

  @callable()
  async remind(seconds: number) {
    const { id } = await this.schedule(seconds, 'ring', { at: seconds });
    return typeof id;
  }

  @callable()
  fail() {
    throw new Error('as asked');
  }

  ring({ at }: { at: number }) {
    this.setState({ count: this.state.count, last: `rang after ${at}` });
  }

  secret() {
    return 'not callable';
  }

  onRequest() {
    return Response.json(this.state);
  }
}

export default {
  async fetch(request: Request, env: Cloudflare.Env) {
    return (await routeAgentRequest(request, env)) ?? new Response('not found', { status: 404 });
  },
};
