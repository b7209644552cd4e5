import { type Cases, get } from '../../testing.ts';

export const fileProbesCases: Readonly<Record<string, Cases>> = {
  '100038': {
    hits: [get('/.env'), get('/app/.env.production'), get('/%2eenv'), get('/.env.bak')],
    misses: [get('/environment'), get('/.envoy/docs'), get('/docs/dotenv')],
  },
  '100038B': {
    hits: [get('/.git/config'), get('/.git/HEAD'), get('/blog/.svn/entries'), get('/.hg/')],
    misses: [get('/.github/workflows'), get('/user/repo.git/info/refs'), get('/git/')],
  },
  '100038C': {
    hits: [get('/.aws/credentials'), get('/.ssh/id_rsa'), get('/id_rsa'), get('/.docker/config.json')],
    misses: [get('/.well-known/security.txt'), get('/docs/ssh/id_rsa-explained'), get('/credentials')],
  },
  '100038D': {
    hits: [get('/backup.sql'), get('/db/dump.sql.gz'), get('/www.tar.gz'), get('/database.bak')],
    misses: [get('/downloads/release-2.1.tar.gz'), get('/dataset.csv'), get('/blog/backup-strategies')],
  },
  '100038E': {
    hits: [
      get('/wp-config.php.bak'),
      get('/wp-config.php~'),
      get('/config.json.old'),
      get('/.wp-config.php.swp'),
    ],
    misses: [get('/config.json'), get('/settings.php'), get('/configuration-guide.txt')],
  },
  '100038F': {
    hits: [get('/phpinfo.php'), get('/server-status'), get('/.htaccess'), get('/adminer-4.8.1.php')],
    misses: [get('/status'), get('/docs/phpinfo'), get('/server-status-page')],
  },
  '100038G': {
    hits: [get('/actuator/env'), get('/actuator/heapdump'), get('/jolokia/list'), get('/manager/html')],
    misses: [get('/actuator/health'), get('/actuator/info'), get('/manager/team')],
  },
  '100038H': {
    hits: [get('/docker-compose.yml'), get('/composer.lock'), get('/.DS_Store')],
    misses: [get('/docs/dockerfile'), get('/api/package.json/view')],
  },
  '100038J': {
    hits: [get('/index.php~'), get('/login.asp.bak'), get('/a/b.php.swp')],
    misses: [get('/index.php'), get('/notes.txt'), get('/index.php/old')],
  },
  '100038K': {
    hits: [get('/terraform.tfstate'), get('/storage/logs/laravel.log'), get('/wp-content/debug.log')],
    misses: [get('/terraform'), get('/blog/debug-log'), get('/logs')],
  },
};
