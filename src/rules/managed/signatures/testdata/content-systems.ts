import { type Cases, agent, form, get, json, post } from '../../testing.ts';

export const contentSystemsCases: Readonly<Record<string, Cases>> = {
  D0001: {
    hits: [form({ 'name[0;update users set x=1;# ]': 'x', 'name[0]': 'y' })],
    misses: [form({ 'name[0]': 'x', 'name[first]': 'y' })],
  },
  D0002: {
    hits: [
      form({ 'mail[#post_render][]': 'exec', 'mail[#type]': 'markup' }),
      get('/user/register?element_parents=account/mail/%23value&a[%2523markup]=id'),
    ],
    misses: [form({ 'mail[type]': 'markup' }), get('/?tag=%23type')],
  },
  D0003: {
    hits: [
      json(
        { link: [{ value: 'link', options: 'O:24:"GuzzleHttp\\Psr7\\FnStream":0:{}' }] },
        '/node/?_format=hal_json',
      ),
    ],
    misses: [json({ link: [{ options: 'open' }] }, '/node/?_format=hal_json')],
  },
  D0004: {
    hits: [get('/index.php?q=taxonomy_vocabulary/x/passthru/id')],
    misses: [get('/index.php?q=taxonomy/term/1')],
  },
  J0001: { hits: [agent('}__test|O:21:"JDatabaseDriverMysqli":3:{s:2:"fc"')], misses: [agent('Joomla/4.4')] },
  J0002: {
    hits: [get('/index.php?option=com_fields&view=fields&layout=modal&list[fullordering]=updatexml(1,1,1)')],
    misses: [get('/index.php?option=com_fields&view=fields&list[fullordering]=a.ordering')],
  },
  J0003: {
    hits: [get('/api/index.php/v1/config/application?public=true')],
    misses: [get('/api/index.php/v1/content/articles')],
  },
  J0004: {
    hits: [form({ 'user[groups][]': '7', task: 'user.register' })],
    misses: [form({ 'jform[name]': 'x', task: 'registration.register' })],
  },
  M0001: {
    hits: [form({ filter: 'x', ___directive: 'e3t9fQ' }, '/admin/Cms_Wysiwyg/directive/index/')],
    misses: [form({ filter: 'x' }, '/admin/products/')],
  },
  M0002: {
    hits: [form('{{var this.getTemplateFilter().addAfterFilterCallback(system)}}')],
    misses: [form('Dear {{var customer.name}}, thanks')],
  },
  M0003: {
    hits: [
      json(
        {
          address: {
            totalsCollector: { collectorList: { sourceData: { data: 'http://x', dataIsURL: true } } },
          },
        },
        '/rest/default/V1/guest-carts/x/estimate-shipping-methods',
      ),
    ],
    misses: [
      json({ address: { country_id: 'DE' } }, '/rest/default/V1/guest-carts/x/estimate-shipping-methods'),
    ],
  },
  M0004: {
    hits: [get('/downloader/index.php'), get('/rss/order/new')],
    misses: [get('/downloader-tips'), get('/rss/news')],
  },
  PL0001: {
    hits: [get('/p_/webdav/xmltools/minidom/xml/sax/saxutils/os/popen2')],
    misses: [get('/p_/style.css')],
  },
  PL0002: { hits: [get('/news/__code__/x'), get('/a/func_globals')], misses: [get('/code/globals')] },
  W0001: {
    hits: [form({ firstname: 'AES_ENCRYPT(1,1), x=(select 1)' })],
    misses: [form({ firstname: 'Aesa', lastname: 'Encryptson' })],
  },
  W0002: {
    hits: [form({ message: '{php}eval(1);{/php}' }, '/submitticket.php')],
    misses: [form({ message: 'My php code {fails}' }, '/submitticket.php')],
  },
  F0001: {
    hits: [get('/player.swf?id=%5C%22))%7Dcatch(e)%7Balert(1)%7D//')],
    misses: [get('/player.swf?file=movie.flv')],
  },
  F0002: {
    hits: [
      post('/', 'text/xml', '<cross-domain-policy><allow-access-from domain="*"/></cross-domain-policy>'),
    ],
    misses: [
      post(
        '/',
        'text/xml',
        '<cross-domain-policy><allow-access-from domain="a.example"/></cross-domain-policy>',
      ),
    ],
  },
  '100098': {
    hits: [form({ 'widgetConfig[code]': 'echo 1;' }, '/?routestring=ajax/render/widget_php')],
    misses: [form({ 'widgetConfig[title]': 'x' })],
  },
  '100098B': {
    hits: [get('/ajax/api/hook/decodeArguments?arguments=O%3A12%3A%22vB')],
    misses: [get('/ajax/api/hook/list?arguments=1')],
  },
  '100099': {
    hits: [get('/index.php?target=db_sql.php%253f/../../x')],
    misses: [get('/index.php?target=db_sql.php')],
  },
  '100099B': {
    hits: [get("/viewtopic.php?t=1&highlight='.system(1).'")],
    misses: [get('/viewtopic.php?t=1&highlight=operating')],
  },
};
