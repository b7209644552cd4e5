/** Origins that are separate programs: nginx, Tomcat, Jetty. They are not npm packages, so no test needs them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { eventually } from '../../eventually.ts';
import { type PathOrigin, protectedText } from './path-origins.ts';

const run = promisify(execFile);

interface Workspace {
  /** A directory for files of the servers. */
  readonly directory: string;
  /** Files to serve: see `writeFiles`. */
  readonly files: string;
}

type Start = (workspace: Workspace) => Promise<PathOrigin>;

async function findFreePort(): Promise<number> {
  const server = createSocketServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** `locations` is the body of a `server` block. */
async function startNginx({ directory }: Workspace, name: string, locations: string): Promise<PathOrigin> {
  const prefix = join(directory, name);
  await mkdir(prefix, { recursive: true });
  const port = await findFreePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${prefix}/${kind};`)
    .join(' ');
  const configuration = `daemon off; master_process off; pid ${prefix}/pid; error_log ${prefix}/error.log;
events {}
http { access_log off; ${temporary} server { listen 127.0.0.1:${port}; ${locations} } }
`;
  await writeFile(join(prefix, 'nginx.conf'), configuration);
  const child = spawn('nginx', ['-e', join(prefix, 'error.log'), '-c', join(prefix, 'nginx.conf')], {
    stdio: 'ignore',
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: see ${prefix}/error.log`);
    return canConnect(port);
  }, 'nginx to listen');
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => stop(child) };
}

const says = (text: string): string => `default_type text/plain; return 200 "${text}";`;

/** nginx forwards the path as it has parsed it, and the application behind it parses that. */
const startNginxBefore: Start = async (workspace) => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://origin.example');
    response.end(pathname.startsWith('/admin') ? protectedText : 'open');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const nginx = await startNginx(
    workspace,
    'nginx-proxy',
    `location / { proxy_pass http://127.0.0.1:${port}/; proxy_http_version 1.1; }`,
  );
  return {
    url: nginx.url,
    async [Symbol.asyncDispose]() {
      await nginx[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Fetches the servers with Maven and starts one from its source file. */
function startJava(name: string, mode: 'strict' | 'lenient'): Start {
  return async ({ directory }) => {
    const place = join(directory, 'java');
    await cp(new URL('java/', import.meta.url), place, { recursive: true });
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libraries'], {
      cwd: place,
    });
    const child = spawn('java', ['-cp', 'libraries/*', `${name}.java`, mode], {
      cwd: place,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(() => {
        throw new Error(`${name} ended before it listened`);
      }),
    ])) as [string];
    return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => stop(child) };
  };
}

export const serverOrigins: Readonly<Record<string, Start>> = {
  'nginx, locations': (workspace) =>
    startNginx(
      workspace,
      'nginx-locations',
      `location /admin { ${says(protectedText)} } location / { ${says('open')} }`,
    ),
  'nginx, slashes not merged': (workspace) =>
    startNginx(
      workspace,
      'nginx-slashes',
      `merge_slashes off; location ~ ^/+admin { ${says(protectedText)} } location / { ${says('open')} }`,
    ),
  'nginx, static files': (workspace) =>
    startNginx(
      workspace,
      'nginx-files',
      `root ${workspace.files}; location / { try_files $uri $uri/ =404; }`,
    ),
  'nginx before Node': startNginxBefore,
  Tomcat: startJava('TomcatOrigin', 'strict'),
  'Tomcat, lenient': startJava('TomcatOrigin', 'lenient'),
  Jetty: startJava('JettyOrigin', 'strict'),
  'Jetty, lenient': startJava('JettyOrigin', 'lenient'),
};
