package kit

import (
	"encoding/hex"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// badgeWordCount words of a badge make 32 bits: enough for two friends to notice
// that their games differ, not a proof against somebody who searches for a match.
const badgeWordCount = 4

// BadgeWords says the first bytes of a digest as words.
func BadgeWords(digest string) []string {
	b, err := hex.DecodeString(digest)
	if err != nil || len(b) < badgeWordCount {
		return []string{"no", "digest", "yet"}
	}
	words := make([]string, badgeWordCount)
	for i := range words {
		words[i] = badgeList[b[i]]
	}
	return words
}

// BadgePicture draws the following bytes as a small symmetric pattern.
func BadgePicture(digest string) app.UI {
	b, err := hex.DecodeString(digest)
	if err != nil || len(b) < badgeWordCount+3 {
		return nil
	}
	bits := uint32(b[badgeWordCount])<<16 | uint32(b[badgeWordCount+1])<<8 | uint32(b[badgeWordCount+2])
	var cells []app.UI
	for y := range 5 {
		for x := range 3 {
			if bits>>(y*3+x)&1 == 0 {
				continue
			}
			cells = append(cells, svgSquare(x, y))
			if x < 2 {
				cells = append(cells, svgSquare(4-x, y))
			}
		}
	}
	return app.Span().Class("badge-picture").Aria("hidden", "true").Body(
		app.Elem("svg").XMLNS(SVGNamespace).Attr("viewBox", "0 0 5 5").Attr("width", "40").Attr("height", "40").
			Attr("fill", "currentColor").Attr("shape-rendering", "crispEdges").Body(cells...))
}

func svgSquare(x, y int) app.UI {
	return app.Elem("rect").XMLNS(SVGNamespace).Attr("x", Itoa(x)).Attr("y", Itoa(y)).
		Attr("width", "1").Attr("height", "1")
}

// badgeList has one word for each byte: short, common, hard to mishear.
var badgeList = [256]string{
	"adder", "alder", "amber", "anchor", "angel", "apple", "apron", "arrow",
	"aspen", "atlas", "badge", "bagel", "baker", "balsa", "banjo", "barge",
	"barley", "basil", "basin", "beacon", "beaver", "bell", "berry", "birch",
	"bishop", "bison", "blanket", "blossom", "bonnet", "bottle", "bramble", "brass",
	"bread", "brick", "bridge", "broom", "bucket", "buffalo", "bugle", "butter",
	"button", "cabin", "cactus", "camel", "canal", "candle", "canoe", "canvas",
	"carpet", "castle", "cedar", "cello", "chalk", "cherry", "chess", "chestnut",
	"cider", "circus", "clover", "coal", "cobalt", "cocoa", "comet", "copper",
	"coral", "cotton", "crane", "cricket", "crystal", "cuckoo", "curtain", "cypress",
	"daisy", "dancer", "desert", "diamond", "dolphin", "donkey", "dove", "dragon",
	"drum", "eagle", "ebony", "echo", "elder", "elm", "ember", "emerald",
	"falcon", "feather", "fern", "fiddle", "field", "finch", "flame", "flute",
	"forest", "fossil", "fountain", "fox", "garden", "garlic", "garnet", "gate",
	"ginger", "glacier", "glass", "goose", "granite", "grape", "gravel", "guitar",
	"hammer", "harbor", "harp", "harvest", "hawk", "hazel", "heather", "hedge",
	"heron", "hill", "honey", "hornet", "ibis", "indigo", "iris", "iron",
	"island", "ivory", "ivy", "jacket", "jade", "jasmine", "jewel", "jungle",
	"juniper", "kayak", "kettle", "kite", "kitten", "ladder", "lagoon", "lantern",
	"lark", "laurel", "lavender", "lemon", "lily", "linen", "lion", "lizard",
	"lobster", "locket", "lotus", "magnet", "magpie", "mango", "maple", "marble",
	"marsh", "meadow", "melon", "mill", "mint", "mirror", "mitten", "moon",
	"moss", "mountain", "mule", "nectar", "needle", "nest", "nettle", "nickel",
	"nutmeg", "oak", "oasis", "ocean", "olive", "onion", "opal", "orchard",
	"orchid", "otter", "owl", "oyster", "paddle", "palace", "panda", "paper",
	"parrot", "pearl", "pebble", "pepper", "piano", "pigeon", "pine", "planet",
	"plum", "pocket", "pond", "poplar", "poppy", "prairie", "pumpkin", "quail",
	"quartz", "quill", "rabbit", "radish", "raven", "reed", "river", "robin",
	"rocket", "rose", "ruby", "saddle", "saffron", "sailor", "salmon", "sandal",
	"sapphire", "satin", "scarlet", "shell", "silver", "sparrow", "spruce", "squirrel",
	"stone", "summit", "swan", "temple", "thistle", "tiger", "timber", "topaz",
	"trumpet", "tulip", "tunnel", "turtle", "valley", "velvet", "violet", "violin",
	"wagon", "walnut", "willow", "window", "winter", "yacht", "zebra", "zinc",
}
