import { getCloudflareContext } from '@opennextjs/cloudflare';

export const dynamic = 'force-dynamic';

export default function Home() {
  return <h1>{getCloudflareContext().env.GREETING}</h1>;
}
