/** Names, addresses and sentences in forms and in JSON. */
import { api, each, submit } from './request.ts';

const names = [
  "Sinéad O'Brien",
  "Beverly D'Angelo",
  "Shaquille O'Neal",
  "Conan O'Brien and Andy Richter",
  "N'Golo Kanté",
  "Ta'Rhonda Jones",
  "Gabriele D'Annunzio",
  "Kevin O'Leary; Mr. Wonderful",
  "Mary-Kate O'Hara-Smith",
  "Peter 't Hart",
  "Willem van 't Hoff",
  "Hawai'i Pacific",
  'Robert "Bobby" Tables',
  'Dwayne "The Rock" Johnson',
  'Jean-François Lyotard',
  'José María Álvarez-Núñez',
  'Björk Guðmundsdóttir',
  'Đặng Thị Ngọc Hân',
  'Łukasz Żółć',
  'Μαρία Παπαδοπούλου',
  'Александр Пушкин',
  'محمد بن سلمان',
  'יעל כהן',
  '王小明',
  '山田 太郎',
  '김민준',
  'ณัฐพล ใจดี',
  'Null, Jennifer',
  'Drop, Anna',
  'Union, Gabrielle',
  'Select, Max',
  'Or Ben-David',
  'And Yılmaz',
  'Scriptor, Johannes',
  'X Æ A-12 Musk',
  'Martin Luther King, Jr.',
  'Smith & Sons (Holdings) Ltd.',
  'Müller + Söhne GmbH & Co. KG',
  'C&A / H&M',
  '<no name>',
  'Root, Elihu',
  'Admin Istrator',
  'True, Rachel',
];

const messages = [
  "Hi,\n\nI'd like to return order #10-4471. It's too small; can I get the next size up?\n\nThanks,\nSinéad O'Brien",
  'Please select a colour from the list below, and update my address where possible.',
  'We will drop the table off between 9 and 10 -- or after 5 if that suits you better.',
  "The union's rep said: 'select members only'. I don't agree!",
  'My 2 kids (7 & 9) need jackets; one is allergic to wool. Do you have anything < 100 EUR?',
  'Is it true that 1 EUR = 1.08 USD today? Or is it 1.07?',
  'Address: 12/3 St John\'s Rd, Flat "B", Dublin 4; ring twice & wait.',
  'I tried Ctrl+Alt+Del, then "Run as administrator" -> same error: 0x80070005 (Access is denied.)',
  'Meeting notes:\n- budget: 50% cut\n- Q3/Q4: hire 2-3 people\n- TODO: ask Bob; cc: Alice\nTo: everyone\nSubject: plan',
  'On Mon, 3 Jun 2024 at 10:12, Jane Doe <jane@example.com> wrote:\n> Could you send me the file?\n> Cc: Bob\n\nAttached!',
  '100% agree!!! :-) ;-) <3 <3 (see https://www.example.com/a?b=1&c=2)',
  "Don't forget: mum's birthday (it's on the 5th) -- cake, candles & flowers",
  'The file is in C:\\Users\\jane\\Documents\\2024\\report.docx or on the share \\\\nas\\public',
  'Price list: A = 10, B = 20, C = 30. If A + B > C then we get a discount and free shipping.',
  'Order by Friday to get it by Monday. Group by 4 or more and save 10%.',
  '"To be, or not to be" -- that\'s from Hamlet; act 3, scene 1.',
  'I was having lunch when the alarm went off; all of us (12) had to leave and wait outside for 20 minutes.',
  'Das Gerät schläft (Sleep-Modus) nach 5 Minuten ein. Wie kann ich das ändern? Grüße, Jürgen',
  "C'est l'été ! J'aimerais réserver une chambre pour 2 adultes & 1 enfant, s'il vous plaît.",
  '¿Podría enviarme la factura nº 2024/117? Mi NIF es 12345678Z. ¡Gracias!',
  'お世話になっております。注文番号12345の配送状況を教えてください。よろしくお願いいたします。',
  '我想退货，订单号是 2024-0615-001。请问怎么操作？谢谢！😊',
  'Привет! Подскажите, пожалуйста, когда будет доставка? Заказ №4471',
  'مرحبا، أريد إلغاء الطلب رقم 4471 من فضلكم.',
  'สวัสดีครับ ขอสอบถามเรื่องการจัดส่งหน่อยครับ 🙏',
  '✅ done\n❌ failed\n🔥🔥🔥 50% OFF!!!\n👉 https://sho.rt/x1Y2',
];

const addresses = [
  { street: "12 St. John's Wood Rd #4", city: "King's Lynn", zip: 'PE30 1AA', country: 'GB' },
  { street: '1600 Amphitheatre Pkwy; Bldg 43', city: 'Mountain View', zip: '94043-1351', country: 'US' },
  { street: "Rua de Sant'Ana, nº 5 - 3º Dto.", city: 'Lisboa', zip: '1200-100', country: 'PT' },
  { street: "Via dell'Orso 7/A", city: "L'Aquila", zip: '67100', country: 'IT' },
  { street: 'Straße des 17. Juni 135', city: 'Berlin', zip: '10623', country: 'DE' },
  { street: '東京都千代田区丸の内1-9-1', city: '東京', zip: '100-0005', country: 'JP' },
  { street: 'P.O. Box 123 (c/o "Smith & Co.")', city: "Coeur d'Alene", zip: '83814', country: 'US' },
  { street: 'Unit 5 or 6, Union Select Business Park', city: "St John's", zip: 'A1B 2C3', country: 'CA' },
];

export const people = [
  ...each('name in a form', names.slice(0, 22), (name, index) =>
    submit('/account/profile', { name, email: `user${index}@example.com`, newsletter: 'on' }, index),
  ),
  ...each('name in JSON', names.slice(22), (name, index) =>
    api('/api/customers', { name, vip: index % 2 === 0, tags: ['new', 'web'] }, index),
  ),
  ...each('message', messages, (message, index) =>
    index % 2 === 0
      ? submit('/contact', { subject: `Question ${index}`, email: 'jane.doe@example.com', message }, index)
      : api('/api/tickets', { subject: `Question ${index}`, message, priority: 'normal' }, index),
  ),
  ...each('address', addresses, (address, index) => api(`/api/addresses/${index}`, address, index, 'PUT')),
  ...each(
    'login',
    ["it's--my#pass", 'correct horse battery staple', "Tr0ub4dor&3';", '<>"\\/{}[]%$#@!', '密码123'],
    (password, index) =>
      index % 2 === 0
        ? submit('/login', { username: 'jane.doe', password, remember: '1' }, index)
        : api('/api/auth/login', { email: "o'neal@example.com", password }, index),
  ),
];
