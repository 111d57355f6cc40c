package judge

// trials are vectors of engine/wire/wiretest/signatures.json, by name: two that every library judges
// alike, and those that hold with the cofactor only. All else that libraries differ about is
// judged before in our own code.
var trials = []struct {
	name, key, message, signature string
	good                          bool
}{
	{
		"a good signature",
		"bf512469e7f9b766bf5c75e47e84fda3ec887bd24d79b9165c19e01a88fe5f72",
		"68656c6c6f",
		"a9a4b61b52db164253147e0c5bd20852d7ab4763e996d0117febccbc7a1abb5657d7f50eab4dee3d097ba991eb31a5c1507f0586d9189f6a6fdab00cf5d8e40e",
		true,
	},
	{
		"another message",
		"bf512469e7f9b766bf5c75e47e84fda3ec887bd24d79b9165c19e01a88fe5f72",
		"68656c6c70",
		"a9a4b61b52db164253147e0c5bd20852d7ab4763e996d0117febccbc7a1abb5657d7f50eab4dee3d097ba991eb31a5c1507f0586d9189f6a6fdab00cf5d8e40e",
		false,
	},
	{
		"R has mixed order, by ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
		"bf512469e7f9b766bf5c75e47e84fda3ec887bd24d79b9165c19e01a88fe5f72",
		"68656c6c6f",
		"445b49e4ad24e9bdaceb81f3a42df7ad2854b89c16692fee8014334385e544a9ac320ab2962869c7c4d0487ee77751076c9e103a3408f233e5ab98f036e5ee0c",
		false,
	},
	{
		"R has mixed order, by 0000000000000000000000000000000000000000000000000000000000000000",
		"bf512469e7f9b766bf5c75e47e84fda3ec887bd24d79b9165c19e01a88fe5f72",
		"68656c6c6f",
		"cd827393f05d560786ed689cdfd10e4aedcc14dd68c58da2ebbc8a106d1f11107f52f6b69d0111cd49bc4c53f85aee255f4d7f4622693cf7a50b0f2edf9c2001",
		false,
	},
	{
		"R has mixed order, by 26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"bf512469e7f9b766bf5c75e47e84fda3ec887bd24d79b9165c19e01a88fe5f72",
		"68656c6c6f",
		"938045fb0ca81173203ca2208ef617dad803f1b07975b653ac8dddae7b11527121f1cc66363b4783a7826687e33ca8d21363364a792d0d914af26581d2d37a06",
		false,
	},
	{
		"R has small order, as 26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"bf512469e7f9b766bf5c75e47e84fda3ec887bd24d79b9165c19e01a88fe5f72",
		"68656c6c6f",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05c4bc4ecbc7dc5a13c18c6b194cb64c26e3e12754e027efe5acb4aaecac5b7b0d",
		false,
	},
}
