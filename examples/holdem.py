import mazzo

hand = mazzo.holdem.Hand("holdem-nolimit-2p", seed=1)
print(hand, hand.legal)
hand.act("r300")
bot = mazzo.holdem.agent("rich")
print(bot.explain(hand.observe()))
hand.act(bot)
hand.undo()
print(mazzo.holdem.equity("AsKd", board="7h8h2c"))  # .equity, .exact, .standard_error
mazzo.holdem.generate("holdem-limit-2p", ["random", "random"], hands=5000, seed=1, to="random.log")
hands = mazzo.holdem.hands("random.log")
hero = mazzo.holdem.learn(hands, regressor="boosted")  # an agent; hero.save("hero.mz")
print(mazzo.match("holdem-limit-2p", [hero, "random"], hands=20_000, seed=1))
