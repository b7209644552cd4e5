import { env } from 'cloudflare:workers';

export const loader = () => ({ greeting: (env as { GREETING: string }).GREETING });

export default function Home({ loaderData }: { loaderData: { greeting: string } }) {
  return <h1>{loaderData.greeting}</h1>;
}
