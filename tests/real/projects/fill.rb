# Fills a Redmine: three projects with tickets, a wiki, news, boards and documents.

PROJECTS = %w[alpha beta gamma]
ISSUES, PAGES, NEWS, BOARDS, TOPICS, DOCUMENTS = 40, 12, 6, 2, 12, 4
NOUNS = %w[anchor bridge canvas compass copper engine furnace garden glacier harbour kettle lantern
           library market meadow orchard pepper planet sailor saddle timber velvet violin winter]
VERBS = %w[breaks carries delays exports hides imports improves measures prints rejects removes repairs]
CHANCE = Random.new(7)

def noun
  NOUNS.sample(random: CHANCE)
end

def paragraph(sentences)
  Array.new(sentences) do
    "The #{noun} #{VERBS.sample(random: CHANCE)} the #{noun} near the #{noun} number #{CHANCE.rand(100_000)}."
  end.join(" ")
end

def one_of(all)
  all.to_a.sample(random: CHANCE)
end

def person(number)
  user = User.new(firstname: "Person", lastname: "No #{number}", mail: "person#{number}@example.net")
  user.login = "person#{number}"
  user.password = user.password_confirmation = "a long password"
  user.save!
  user
end

def plan(project, people)
  versions = %w[1.0 1.1 2.0].map { |name| Version.create!(project: project, name: name, description: paragraph(1)) }
  ISSUES.times do |number|
    issue = Issue.create!(
      project: project, tracker: one_of(Tracker.all), author: one_of(people), description: paragraph(4),
      subject: "#{noun} #{VERBS.sample(random: CHANCE)} #{noun} #{number}", fixed_version: one_of([nil, *versions]),
      priority: one_of(IssuePriority.all), status: one_of(IssueStatus.all), start_date: Date.new(2024, 1, 1) + number
    )
    CHANCE.rand(4).times do
      again = Issue.find(issue.id)
      again.init_journal(one_of(people), paragraph(2))
      again.save!
    end
  end
end

def write(project, people)
  wiki = project.wiki || Wiki.create!(project: project, start_page: "Wiki")
  names = ["Wiki"] + NOUNS.first(PAGES).map { |name| "#{name.capitalize}_guide" }
  names.each_with_index do |name, number|
    page = WikiPage.new(wiki: wiki, title: name)
    links = names.map { |other| "* [[#{other}]]" }.join("\n")
    page.content = WikiContent.new(page: page, author: one_of(people), text: "h1. #{name}\n\n#{paragraph(6)}\n\n#{links}")
    page.save!
    page.content.update!(text: page.content.text + "\n\n" + paragraph(2)) if number % 3 == 0
  end
end

def talk(project, people)
  NEWS.times do |number|
    News.create!(project: project, author: one_of(people), title: "#{number}: #{noun}", summary: paragraph(1), description: paragraph(4))
  end
  BOARDS.times do |place|
    board = Board.create!(project: project, name: "Board #{place}", description: "Talk #{place}")
    TOPICS.times do |number|
      topic = Message.create!(board: board, author: one_of(people), subject: "Topic #{number}: #{noun}", content: paragraph(3))
      CHANCE.rand(4).times do
        Message.create!(board: board, parent: topic, author: one_of(people), subject: "RE: #{topic.subject}", content: paragraph(2))
      end
    end
  end
  DOCUMENTS.times do |number|
    Document.create!(project: project, category: DocumentCategory.first, title: "Document #{number}: #{noun}", description: paragraph(3))
  end
end

User.current = User.find_by_login("admin")
people = Array.new(4) { |number| person(number) }
PROJECTS.each do |name|
  project = Project.new(name: "Project #{name}", identifier: name, description: paragraph(3), is_public: true)
  project.enabled_module_names = %w[issue_tracking time_tracking news documents files wiki boards calendar gantt]
  project.trackers = Tracker.all
  project.save!
  people.each { |user| Member.create!(project: project, principal: user, roles: [Role.givable.first]) }
  plan(project, people)
  write(project, people)
  talk(project, people)
end
# What is a minute old changes by itself ("less than a minute ago"): no page is younger than five days.
database = ActiveRecord::Base.connection
database.tables.each do |table|
  database.columns(table).select { |column| column.type == :datetime }.each do |column|
    database.execute("UPDATE #{table} SET #{column.name} = datetime(#{column.name}, '-5 days')")
  end
end
