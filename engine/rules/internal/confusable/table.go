package confusable

// What [Alike] compares by, from the data of Unicode 15: confusables.txt of UTS #39 as far as it is about letters and digits
// of the Basic Multilingual Plane that are written from left to right, and the canonical decompositions of Latin, Greek and
// Cyrillic letters. It is a part of the kernel, so that no library's newer table changes what a game has decided.

// lookalikes are groups of characters that can be taken for one another: the first of each stands for all.
const lookalikes = "" +
	"2ƧϨᒿꙄꛯꝚ 3ƷȜЗӠⳌꝪꞫ 4Ꮞ 5Ƽ 6бᏮⳒ 8Ȣȣ৪੪ଃ 9৭੧୨൭ⳊꝮ AΑАᎪᗅꓮ BΒВᏴᗷℬꓐꞴ CϹСᏟℂℭⅭⲤꓚ DᎠᗞᗪⅅⅮꓓ EΕЕᎬℰ⋿ⴹꓰ " +
	"FϜᖴℱꓝꞘ GԌᏀᏳꓖ HΗНᎻᕼℋℌℍⲎꓧ JͿЈᎫᒍꓙꞲ KΚКᏦᛕKⲔꓗ LᏞᒪℒⅬⳐꓡ MΜϺМᎷᗰᛖℳⅯⲘꓟ NΝℕⲚꓠ OΟОՕ০ଠ୦ዐⲞⵔ〇ꓳ PΡРᏢᑭℙⲢꓑ " +
	"Qℚⵕ RƦᎡᏒᖇℛℜℝꓣ SЅՏᏕᏚꓢ TΤТᎢ⊤⟙Ⲧꓔ UՍሀᑌ∪⋃ꓴ VѴ٧۷ᏙᐯⅤⴸꓦꛟ WԜᎳᏔꓪ XΧХ᙭ᚷⅩ╳ⲬⵝꓫꞳ YΥϒУҮᎩᎽⲨꓬ ZΖᏃℤℨꓜ aɑαа⍺ " +
	"bƄЬᏏᑲᖯ cϲсᴄⅽⲥꮯ dԁᏧᑯⅆⅾꓒ eеҽ℮ℯⅇꬲ fſքẝꞙꬵ gƍɡցᶃℊ hһհᏂℎ iıɩɪ˛ͺιіӏᎥιℹⅈⅰ⍳ꙇꭵ jϳјⅉ " +
	"lƖǀΙІӀ١۱ᛁℐℑℓⅠⅼ∣⏽Ⲓⵏꓲ￨ mⅿ nոռ oοσоօ٥۵०੦૦௦ం౦ಂ೦ംഠ൦ං๐໐ဝ၀ჿᴏᴑℴⲟꬽ pρϱр⍴ⲣ qԛգզ rгᴦⲅꭇꭈꮁ sƽѕꜱꮪ " +
	"uʋυսᴜꞟꭎꭒ vνѵᴠⅴ∨⋁ꮩ wɯѡԝաᴡꮃ x×хᕁᕽ᙮ⅹ⤫⤬⨯ yɣʏγуүყᶌỿℽꭚ zᴢꮓ µμ ÞϷ ßβϐ þƿ ĸκϰк ƅь ƆϽ ƏӘ ƐԐ ƨϩ ƩΣ " +
	"ǝə ǶԊ ȝʒ ȷյ ɅΛЛ ɔͻ ɜз ɢԍ ɰպ ɸφ ʍм ʙв ʜн \u0300\u0340 \u0301\u0341 \u0302\u0311 \u0303\u0342 \u0304\u0305 \u0306\u030c \u0307\u0358 \u030a\u0366 \u0313\u0315\u0343 \u0320\u0331 \u0322\u0328\u0345 \u0326\u0327 \u0333\u0347 \u0335\u0336 \u0337\u0338 \u0350\u0357 " +
	"ͶИ ΓГ ΠП ΦФՓ ΨѰ πϖ ςϛ ψѱ ҶӋ ҷӌ "

// composed are letters with an accent, in groups that begin with it, and bare are the same letters without it, at the same
// places.
const composed = "" +
	"\u0300ÀÈÌÒÙàèìòùǛǜǸǹЀЍѐѝḔḕṐṑẀẁẦầẰằỀềỒồỜờỪừỲỳ \u0301ÁÉÍÓÚÝáéíóúýĆćĹĺŃńŔŕŚśŹźǗǘǴǵǺǻǼǽǾǿ΅ΆΈΉΊΌΎΏΐάέήίΰό" +
	"ύώϓЃЌѓќḈḉḖḗḮḯḰḱḾḿṌṍṒṓṔṕṸṹẂẃẤấẮắẾếỐốỚớỨứ \u0302ÂÊÎÔÛâêîôûĈĉĜĝĤĥĴĵŜŝŴŵŶŷẐẑẬậỆệỘộ \u0303ÃÑÕãñõĨĩŨũṼṽẪẫẴ" +
	"ẵẼẽỄễỖỗỠỡỮữỸỹ \u0304ĀāĒēĪīŌōŪūǕǖǞǟǠǡǢǣǬǭȪȫȬȭȰȱȲȳӢӣӮӯḠḡḸḹṜṝ \u0306ĂăĔĕĞğĬĭŎŏŬŭЎЙйўӁӂӐӑӖӗḜḝẶặ \u0307ĊċĖėĠġİ" +
	"ŻżȦȧȮȯḂḃḊḋḞḟḢḣṀṁṄṅṖṗṘṙṠṡṤṥṦṧṨṩṪṫẆẇẊẋẎẏẛ \u0308ÄËÏÖÜäëïöüÿŸΪΫϊϋϔЁЇёїӒӓӚӛӜӝӞӟӤӥӦӧӪӫӬӭӰӱӴӵӸӹḦḧṎṏṺṻ" +
	"ẄẅẌẍẗ \u0309ẢảẨẩẲẳẺẻỂểỈỉỎỏỔổỞởỦủỬửỶỷ \u030aÅåŮůẘẙ \u030bŐőŰűӲӳ \u030cČčĎďĚěĽľŇňŘřŠšŤťŽžǍǎǏǐǑǒǓǔǙǚǦǧǨǩǮǯǰȞȟ \u030fȀȁ" +
	"ȄȅȈȉȌȍȐȑȔȕѶѷ \u0311ȂȃȆȇȊȋȎȏȒȓȖȗ \u031bƠơƯư \u0323ḄḅḌḍḤḥḲḳḶḷṂṃṆṇṚṛṢṣṬṭṾṿẈẉẒẓẠạẸẹỊịỌọỢợỤụỰựỴỵ \u0324Ṳṳ \u0325Ḁḁ \u0326ȘșȚț" +
	" \u0327ÇçĢģĶķĻļŅņŖŗŞşŢţȨȩḐḑḨḩ \u0328ĄąĘęĮįŲųǪǫ \u032dḒḓḘḙḼḽṊṋṰṱṶṷ \u032eḪḫ \u0330ḚḛḬḭṴṵ \u0331ḆḇḎḏḴḵḺḻṈṉṞṟṮṯẔẕẖ "

const bare = "" +
	"\u0300AEIOUaeiouÜüNnЕИеиĒēŌōWwÂâĂăÊêÔôƠơƯưYy \u0301AEIOUYaeiouyCcLlNnRrSsZzÜüGgÅåÆæØø¨ΑΕΗΙΟΥΩϊαεηιϋο" +
	"υωϒГКгкÇçĒēÏïKkMmÕõŌōPpŨũWwÂâĂăÊêÔôƠơƯư \u0302AEIOUaeiouCcGgHhJjSsWwYyZzẠạẸẹỌọ \u0303ANOanoIiUuVvÂâĂ" +
	"ăEeÊêÔôƠơƯưYy \u0304AaEeIiOoUuÜüÄäȦȧÆæǪǫÖöÕõȮȯYyИиУуGgḶḷṚṛ \u0306AaEeGgIiOoUuУИиуЖжАаЕеȨȩẠạ \u0307CcEeGgI" +
	"ZzAaOoBbDdFfHhMmNnPpRrSsŚśŠšṢṣTtWwXxYyſ \u0308AEIOUaeiouyYΙΥιυϒЕІеіАаӘәЖжЗзИиОоӨөЭэУуЧчЫыHhÕõŪū" +
	"WwXxt \u0309AaÂâĂăEeÊêIiOoÔôƠơUuƯưYy \u030aAaUuwy \u030bOoUuУу \u030cCcDdEeLlNnRrSsTtZzAaIiOoUuÜüGgKkƷʒjHh \u030fAa" +
	"EeIiOoRrUuѴѵ \u0311AaEeIiOoRrUu \u031bOoUu \u0323BbDdHhKkLlMmNnRrSsTtVvWwZzAaEeIiOoƠơUuƯưYy \u0324Uu \u0325Aa \u0326SsTt" +
	" \u0327CcGgKkLlNnRrSsTtEeDdHh \u0328AaEeIiUuOo \u032dDdEeLlNnTtUu \u032eHh \u0330EeIiUu \u0331BbDdKkLlNnRrTtZzh "
